import type { Task, TaskStatus } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useMemo, useRef, useState } from "react";
import { isNotFound } from "../api/api-error.ts";
import { projectsQuery } from "../api/queries.ts";
import { useText } from "../i18n/locale.tsx";
import { newTaskRequest } from "../start/new-task-request.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { FailedPage, NotFoundPage } from "../ui/message-pages.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { BoardColumnView } from "./board-column.tsx";
import { type BoardFilters, countFilters, listTags } from "./board-filters.ts";
import { BoardToolbar } from "./board-toolbar.tsx";
import { type BoardView, useBoardView } from "./board-view.ts";
import { EmptyBoard, NoMatch } from "./empty-board.tsx";
import { QuickAdd } from "./quick-add.tsx";
import { keepShown, nothingSelected } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { TaskList } from "./task-list.tsx";
import { nextSort } from "./task-sort.ts";
import { useBoardTasks } from "./use-board-tasks.ts";
import { useCardMoves } from "./use-card-moves.ts";
import { useChangeTasks } from "./use-change-tasks.ts";
import { useHeldColumn } from "./use-held-column.ts";
import { usePreloadTaskPage } from "./use-preload-task-page.ts";
import { useTaskActions } from "./use-task-actions.ts";

const DeleteTasksDialog = lazyComponent(() => import("./delete-tasks-dialog.tsx"), "DeleteTasksDialog").Component;

export function BoardPage() {
  const { projectId } = useParams({ from: "/p/$projectId" });
  const filters = useSearch({ from: "/p/$projectId" });
  const navigate = useNavigate();
  const text = useText();
  const { data: projects } = useQuery(projectsQuery);
  const { view, setView, sort, setSort } = useBoardView();
  const { held, onPointerMove, release } = useHeldColumn();
  const { current, error, isFetching, tasks, shown, columns, sorted, rows, order } = useBoardTasks({
    projectId,
    filters,
    view,
    sort,
    held,
  });
  const [adding, setAdding] = useState<TaskStatus | null>(null);
  const [deleting, setDeleting] = useState<readonly Task[]>([]);
  const [chosen, setSelection] = useState(nothingSelected);
  const container = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const composer = useRef<{ focus(): void }>(null);
  const change = useChangeTasks();
  useTitle(projects?.find(({ id }) => id === projectId)?.name);
  usePreloadTaskPage({ enabled: current !== undefined });

  const selection = useMemo(() => keepShown(chosen, order), [chosen, order]);
  const selected = useMemo(() => shown.filter(({ id }) => selection.ids.has(id)), [shown, selection]);
  const clearSelection = () => setSelection(nothingSelected);
  const actions = useTaskActions({ columns, order, selection, setSelection, change, onRemove: setDeleting });
  const { drag, onPointerDown, onKeyDown, announcement, wanted, forgetWanted } = useCardMoves({
    ...{ container, view, columns, rows, shown, selected, selectedIds: selection.ids, actions, change },
    onClearSelection: clearSelection,
  });
  const changeView = (next: BoardView) => {
    // In the other order the card may be the last one, and all before it would be drawn.
    forgetWanted();
    setView(next);
  };
  const setFilters = (search: BoardFilters) => void navigate({ to: "/p/$projectId", params: { projectId }, search, replace: true });
  const newTask = () => (composer.current ? composer.current.focus() : newTaskRequest.set(true));
  useShortcut("c", newTask);
  useShortcut("/", () => searchField.current?.focus());
  useShortcut("v", () => changeView(view === "board" ? "list" : "board"));

  if (error && !current) return isNotFound(error) ? <NotFoundPage /> : <FailedPage error={error} />;
  if (projects && !projects.some(({ id }) => id === projectId)) return <NotFoundPage />;
  const isFiltered = countFilters(filters) > 0 || filters.q !== undefined;
  const isEmpty = current?.length === 0 && !isFiltered && adding === null;
  return (
    <div className="flex h-full flex-col">
      <BoardToolbar
        agents={[...new Set(tasks.flatMap((task) => task.activity?.agent ?? []))].sort()}
        count={current ? shown.length : null}
        filters={filters}
        onFilters={setFilters}
        onNewTask={newTask}
        onView={changeView}
        searchField={searchField}
        tags={listTags(tasks)}
        view={view}
      />
      <p className="sr-only" id="board-keys">
        {text.board.keys}
      </p>
      {isFiltered && current && !isFetching && shown.length === 0 && <NoMatch onClear={() => setFilters({})} />}
      {isEmpty && <EmptyBoard composer={composer} projectId={projectId} />}
      {!isEmpty && (
        // biome-ignore lint/a11y/noStaticElementInteractions: one handler for the keys of all cards
        <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
          {view === "list" ? (
            <div className="flex min-h-0 flex-1 flex-col" ref={container}>
              {adding && (
                <div className="mx-auto w-full max-w-xl p-3">
                  <QuickAdd onClose={() => setAdding(null)} projectId={projectId} status={adding} />
                </div>
              )}
              <TaskList
                actions={actions}
                onSelectAll={() => setSelection({ ids: new Set(selection.ids.size === order.length ? [] : order), anchor: null })}
                onSort={(by) => setSort(nextSort(sort, by))}
                selected={selection.ids}
                sort={sort}
                tasks={sorted}
                wanted={wanted}
              />
            </div>
          ) : (
            <div
              className={`scroll-quiet flex min-h-0 flex-1 scroll-px-3 gap-3 overflow-x-auto p-3 sm:scroll-px-4 sm:p-4 ${drag ? "" : "snap-x"}`}
              onPointerDown={onPointerDown}
              onPointerLeave={release}
              onPointerMove={(event) => onPointerMove(event, columns)}
              ref={container}
            >
              {columns.map((column) => (
                <BoardColumnView
                  actions={actions}
                  adding={adding === column.status}
                  column={column}
                  drag={drag}
                  filtered={isFiltered}
                  key={column.status}
                  onAdd={(open) => setAdding(open ? column.status : null)}
                  projectId={projectId}
                  selected={selection.ids}
                  wanted={wanted}
                />
              ))}
            </div>
          )}
        </div>
      )}
      {selected.length > 0 && <SelectionBar actions={actions} onClear={clearSelection} tags={listTags(tasks)} tasks={selected} />}
      <Suspense>
        {deleting.length > 0 && (
          <DeleteTasksDialog
            onClose={() => {
              setDeleting([]);
              clearSelection();
            }}
            tasks={deleting}
          />
        )}
      </Suspense>
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}
