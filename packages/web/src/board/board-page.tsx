import type { Task, TaskStatus, UpdateTask } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { isNotFound } from "../api/api-error.ts";
import { projectsQuery, tasksQuery } from "../api/queries.ts";
import { FailedPage, NotFoundPage } from "../app/message-pages.tsx";
import { useText } from "../i18n/locale.tsx";
import { useUpdateTask } from "../task/use-update-task.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { BoardColumnView } from "./board-column.tsx";
import { type Direction, moveCard, nextCard, positionAt, tasksOf, toBoardColumns } from "./board-columns.ts";
import { lastTask } from "./last-task.ts";

const directions: Record<string, Direction> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };

export function BoardPage() {
  const { projectId } = useParams({ from: "/p/$projectId" });
  const text = useText();
  const describe = useErrorText();
  const update = useUpdateTask();
  const { data: projects } = useQuery(projectsQuery);
  const { data: tasks, error } = useQuery(tasksQuery(projectId));
  const [adding, setAdding] = useState<TaskStatus | null>(null);
  const [filter, setFilter] = useState("");
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const board = useRef<HTMLDivElement>(null);
  const filterField = useRef<HTMLInputElement>(null);
  useShortcut("c", () => setAdding("todo"));
  useTitle(projects?.find(({ id }) => id === projectId)?.name);
  useShortcut("/", () => filterField.current?.focus());

  const shown = useMemo(() => tasks?.filter((task) => matches(task, filter)) ?? [], [tasks, filter]);
  const columns = useMemo(() => toBoardColumns(shown), [shown]);

  const move = async (task: Task, changes: UpdateTask) => {
    setFailure(null);
    if (changes.status && changes.status !== task.status) setSaid(text.board.moved(task.title, text.status[changes.status]));
    try {
      await update(task, changes);
    } catch (problem) {
      setFailure(describe(problem));
    }
  };

  const focusCard = (taskId: string) =>
    requestAnimationFrame(() => board.current?.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(taskId)}"]`)?.focus());

  const focusAny = () => {
    const card = shown.find(({ id }) => id === lastTask.read()) ?? nextCard(columns, "", "down");
    if (card) focusCard(card.id);
  };
  useShortcut("ArrowDown", focusAny);
  useShortcut("ArrowRight", focusAny);

  const onKeyDown = (event: KeyboardEvent) => {
    const direction = directions[event.key];
    const card = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-task-id]") : null;
    const taskId = card?.dataset.taskId;
    if (!taskId || event.target !== card) return;
    const task = shown.find(({ id }) => id === taskId);
    if (!direction || !task) return;
    event.preventDefault();
    if (event.shiftKey) {
      const target = moveCard(columns, taskId, direction);
      if (target) void move(task, target).then(() => focusCard(taskId));
      if (target) focusCard(taskId);
    } else {
      const next = nextCard(columns, taskId, direction);
      if (next) focusCard(next.id);
    }
  };

  if (error && !tasks) return isNotFound(error) ? <NotFoundPage /> : <FailedPage error={error} />;
  if (projects && !projects.some(({ id }) => id === projectId)) return <NotFoundPage />;
  const empty = tasks?.length === 0 && adding === null;
  return (
    <div className="flex h-full flex-col">
      <header className="flex h-12 shrink-0 items-center gap-3 border-line border-b px-4">
        <h1 className="font-semibold">{text.board.title}</h1>
        {tasks && <span className="text-ink-faint text-sm max-sm:hidden">{text.board.count(tasks.length)}</span>}
        <input
          aria-label={text.board.filter}
          className="ms-auto h-8 pointer-coarse:h-10 w-full min-w-0 max-w-52 rounded-md border border-transparent bg-hover px-2.5 text-sm placeholder:text-ink-faint focus:border-line-strong focus:bg-canvas"
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            setFilter("");
            event.currentTarget.blur();
          }}
          placeholder={text.board.filter}
          ref={filterField}
          type="search"
          value={filter}
        />
        <Button look="primary" onClick={() => setAdding("todo")}>
          <Icon name="plus" size={14} />
          {text.board.newTask}
        </Button>
      </header>
      {failure && (
        <div className="px-4 pt-3">
          <ErrorText>{failure}</ErrorText>
        </div>
      )}
      {filter !== "" && shown.length === 0 && <p className="px-4 pt-3 text-ink-soft text-sm">{text.board.noMatch}</p>}
      {empty ? (
        <EmptyBoard onAdd={() => setAdding("todo")} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the cards inside are handled in one place
        <div
          className="scroll-quiet flex min-h-0 flex-1 snap-x scroll-px-3 gap-3 overflow-x-auto p-3 sm:scroll-px-4 sm:p-4"
          onKeyDown={onKeyDown}
          ref={board}
        >
          {columns.map((column) => (
            <BoardColumnView
              adding={adding === column.status}
              column={column}
              key={column.status}
              onAdd={(open) => setAdding(open ? column.status : null)}
              onDrop={(taskId, index) => {
                const task = shown.find(({ id }) => id === taskId);
                if (!task) return;
                const others = tasksOf(columns, column.status).filter(({ id }) => id !== taskId);
                void move(task, { status: column.status, position: positionAt(others, index) });
              }}
              onMove={(task, status) =>
                void move(task, { status, position: positionAt(tasksOf(columns, status), Number.MAX_SAFE_INTEGER) })
              }
              projectId={projectId}
            />
          ))}
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
    </div>
  );
}

function matches(task: Task, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const haystack = `${task.title} ${task.tags.join(" ")} ${task.description}`.toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function EmptyBoard({ onAdd }: { onAdd(): void }) {
  const text = useText();
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 p-6 text-center">
      <div aria-hidden="true" className="flex gap-1.5 text-line-strong">
        <span className="h-14 w-9 rounded-md border-2 border-current border-dashed" />
        <span className="h-14 w-9 rounded-md border-2 border-current" />
        <span className="h-14 w-9 rounded-md border-2 border-current border-dashed" />
      </div>
      <h2 className="font-semibold">{text.board.emptyTitle}</h2>
      <p className="max-w-xs text-ink-soft">{text.board.emptyText}</p>
      <Button look="primary" onClick={onAdd}>
        <Icon name="plus" size={14} />
        {text.board.newTask}
      </Button>
    </div>
  );
}
