import type { Task, TaskId, TaskStatus } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isNotFound } from "../api/api-error.ts";
import { archivedTasksQuery, projectsQuery, tasksQuery } from "../api/queries.ts";
import { preloadTaskPage } from "../app/load-task-page.ts";
import { FailedPage, NotFoundPage } from "../app/message-pages.tsx";
import { useLocale } from "../i18n/locale.tsx";
import { newTaskRequest } from "../start/new-task-request.ts";
import { lazyComponent } from "../ui/lazy-component.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { useAskedAt } from "./active-tasks.ts";
import { BoardColumnView } from "./board-column.tsx";
import { type CardPlace, type Direction, limitPlace, moveCard, placeCards, toBoardColumns } from "./board-columns.ts";
import { type BoardFilters, countFilters, listTags, matchesFilters } from "./board-filters.ts";
import { BoardToolbar } from "./board-toolbar.tsx";
import { type BoardView, useBoardView } from "./board-view.ts";
import { EmptyBoard, NoMatch } from "./empty-board.tsx";
import { QuickAdd } from "./quick-add.tsx";
import { keepShown, nothingSelected } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { TaskList } from "./task-list.tsx";
import { nextSort, sortTasks } from "./task-sort.ts";
import { useBoardKeys } from "./use-board-keys.ts";
import { useCardDrag } from "./use-card-drag.ts";
import { useChangeTasks } from "./use-change-tasks.ts";
import { useTaskActions } from "./use-task-actions.ts";

const DeleteTasksDialog = lazyComponent(() => import("./delete-tasks-dialog.tsx"), "DeleteTasksDialog").Component;

export function BoardPage() {
  const { projectId } = useParams({ from: "/p/$projectId" });
  const filters = useSearch({ from: "/p/$projectId" });
  const navigate = useNavigate();
  const { text, locale } = useLocale();
  const { data: projects } = useQuery(projectsQuery);
  const { data: current, error, isFetching } = useQuery(tasksQuery(projectId));
  const { data: archived } = useQuery({ ...archivedTasksQuery(projectId), enabled: filters.archived === true });
  const { view, setView, sort, setSort } = useBoardView();
  const [adding, setAdding] = useState<TaskStatus | null>(null);
  const [deleting, setDeleting] = useState<readonly Task[]>([]);
  const [chosen, setSelection] = useState(nothingSelected);
  const [said, setSaid] = useState("");
  const [wanted, setWanted] = useState<TaskId | null>(null);
  const moved = useRef<TaskId | null>(null);
  const container = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const change = useChangeTasks();
  useTitle(projects?.find(({ id }) => id === projectId)?.name);
  const isLoaded = current !== undefined;
  useEffect(() => (isLoaded ? preloadTaskPage() : undefined), [isLoaded]);
  const composer = useRef<{ focus(): void }>(null);
  const newTask = () => (composer.current ? composer.current.focus() : newTaskRequest.set(true));
  useShortcut("c", newTask);
  useShortcut("/", () => searchField.current?.focus());
  const changeView = (next: BoardView) => {
    // In the other order it may stand at the end, and all before it would be drawn.
    setWanted(null);
    setView(next);
  };
  useShortcut("v", () => changeView(view === "board" ? "list" : "board"));

  const asked = useAskedAt();
  const tasks = useMemo(() => [...(current ?? []), ...(filters.archived ? (archived ?? []) : [])], [current, archived, filters.archived]);
  const shown = useMemo(() => tasks.filter((task) => matchesFilters(task, task.activity?.agent ?? null, filters)), [tasks, filters]);
  const columns = useMemo(() => toBoardColumns(shown, { wanted: filters.status, asked }), [shown, filters.status, asked]);
  const sorted = useMemo(() => (view === "list" ? sortTasks(shown, sort, { locale, asked }) : []), [view, shown, sort, locale, asked]);
  const rows = useMemo(
    () => (view === "list" ? [{ status: "todo" as const, tasks: sorted, active: new Set<TaskId>() }] : columns),
    [view, sorted, columns],
  );
  const order = useMemo(() => rows.flatMap(({ tasks: inRow }) => inRow.map(({ id }) => id)), [rows]);
  const selection = useMemo(() => keepShown(chosen, order), [chosen, order]);
  const selected = useMemo(() => shown.filter(({ id }) => selection.ids.has(id)), [shown, selection]);

  const actions = useTaskActions({ columns, order, selection, setSelection, change, onRemove: setDeleting });
  const setFilters = (search: BoardFilters) => void navigate({ to: "/p/$projectId", params: { projectId }, search, replace: true });

  /** A card that is selected takes the others with it. */
  const withOthers = (task: Task): Task[] => {
    const all = columns.flatMap(({ tasks: inColumn }) => inColumn);
    return selection.ids.has(task.id) ? all.filter(({ id }) => selection.ids.has(id)) : [task];
  };
  const place = (cards: readonly Task[], wantedPlace: CardPlace) => {
    const to = limitPlace(columns, cards, wantedPlace);
    const moved = cards.some(({ status }) => status !== to.status);
    const name = cards.length === 1 ? (cards[0]?.title ?? "") : text.board.count(cards.length);
    setSaid(moved ? "" : text.board.reordered(name, to.index + 1));
    return change(placeCards(columns, cards, to), moved ? text.board.moved(name, text.status[to.status]) : undefined);
  };
  const { drag, onPointerDown } = useCardDrag({
    board: container,
    limit: (taskId, to) => limitPlace(columns, withOthers({ id: taskId } as Task), to),
    count: (taskId) => withOthers({ id: taskId } as Task).length,
    onDrop: ({ taskId, ...to }) => {
      const task = shown.find(({ id }) => id === taskId);
      if (task) void place(withOthers(task), to);
    },
  });
  const keepFocus = (taskId: TaskId) => {
    moved.current = taskId;
    setWanted(taskId);
  };
  const { onKeyDown, findCard } = useBoardKeys({
    ...{ container, columns: rows, tasks: shown, selected, actions },
    onClearSelection: () => setSelection(nothingSelected),
    onWant: setWanted,
    onKeep: keepFocus,
    onMove(task: Task, direction: Direction) {
      const to = view === "board" ? moveCard(columns, task.id, direction) : null;
      if (!to) return;
      keepFocus(task.id);
      void place([task], to);
    },
  });

  // A card that is put elsewhere in the page loses the focus. It has it again before the next key can come.
  useLayoutEffect(() => {
    if (moved.current && document.activeElement === document.body) findCard(moved.current)?.focus();
    // Someone went elsewhere meanwhile.
    else if (!document.activeElement?.matches("[data-task-id]")) moved.current = null;
  });

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
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the cards inside are handled in one place
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
      {selected.length > 0 && (
        <SelectionBar actions={actions} onClear={() => setSelection(nothingSelected)} tags={listTags(tasks)} tasks={selected} />
      )}
      <Suspense>
        {deleting.length > 0 && (
          <DeleteTasksDialog
            onClose={() => {
              setDeleting([]);
              setSelection(nothingSelected);
            }}
            tasks={deleting}
          />
        )}
      </Suspense>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  );
}
