import type { TaskId } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { KnownTask } from "../api/task-activity.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";
import { useGrowingList } from "../ui/use-growing-list.ts";
import { useNow } from "../ui/use-now.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { SelectBox } from "./select-box.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { TaskActions } from "./task-actions.ts";
import { TaskMenu } from "./task-menu.tsx";
import type { Sort, SortKey } from "./task-sort.ts";
import { StateLine, TaskNumbers } from "./task-state-line.tsx";
import { useTaskState } from "./use-task-state.ts";

export interface TaskListProps {
  tasks: readonly KnownTask[];
  sort: Sort;
  selected: ReadonlySet<TaskId>;
  actions: TaskActions;
  wanted: TaskId | null;
  onSort(by: SortKey): void;
  onSelectAll(): void;
}

const smallestRow = 36;
const rowsAtOnce = 100;

/** The tasks of the board one below the other. The columns that a narrow screen has no room for are in the row's second line. */
export function TaskList({ tasks, sort, selected, actions, wanted, onSort, onSelectAll }: TaskListProps) {
  const text = useText();
  const now = useNow(60_000);
  const { shown, sentinel } = useGrowingList(tasks, { step: rowsAtOnce, smallestHeight: smallestRow, wanted });
  const heading = (by: SortKey, className = "") => (
    <Heading className={className} label={text.board.columns[by]} onSort={() => onSort(by)} sort={sort.by === by ? sort : null} />
  );
  return (
    <div className="scroll-quiet min-h-0 flex-1 overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{text.board.title}</caption>
        <thead className="sticky top-0 z-10 bg-canvas">
          <tr>
            <th className="w-10 border-line border-b ps-2" scope="col">
              <SelectBox
                label={text.board.selectAll}
                onChange={onSelectAll}
                selected={tasks.length > 0 && tasks.every(({ id }) => selected.has(id))}
              />
            </th>
            {heading("title")}
            {heading("status", "max-sm:hidden")}
            {heading("priority", "max-md:hidden")}
            {heading("updated", "max-sm:hidden")}
            {heading("created", "max-lg:hidden")}
            <th className="w-10 border-line border-b" scope="col">
              <span className="sr-only">{text.app.more}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((task) => (
            <Row actions={actions} key={task.id} now={now} selected={selected.has(task.id)} task={task} />
          ))}
        </tbody>
      </table>
      {sentinel && <div aria-hidden="true" className="h-px" key={shown.length} ref={sentinel} />}
    </div>
  );
}

function Heading({ label, sort, className, onSort }: { label: string; sort: Sort | null; className: string; onSort(): void }) {
  return (
    <th
      aria-sort={sort ? (sort.descending ? "descending" : "ascending") : "none"}
      className={`border-line border-b px-1 text-start font-medium text-ink-faint text-xs ${className}`}
      scope="col"
    >
      <button
        className="flex h-9 pointer-coarse:h-11 items-center gap-1 whitespace-nowrap rounded px-1 hover:text-ink"
        onClick={onSort}
        type="button"
      >
        {label}
        {sort && <Icon name={sort.descending ? "arrowDown" : "arrowUp"} size={11} />}
      </button>
    </th>
  );
}

const cell = "border-line border-b px-2 py-1.5 align-middle";

const Row = memo(function Row(props: { task: KnownTask; selected: boolean; now: number; actions: TaskActions }) {
  const { task, selected, actions, now } = props;
  const text = useText();
  const format = useFormats();
  const state = useTaskState(task);
  const isQuiet = task.status === "done" || task.status === "cancelled" || task.archived;
  return (
    <tr className={`group ${selected ? "bg-accent-wash" : "hover:bg-hover"}`}>
      <td className={`${cell} px-0 ps-2`}>
        <SelectBox label={text.board.select(task.title)} onChange={(range) => actions.onSelect(task, range)} selected={selected} />
      </td>
      <td className={`${cell} w-full min-w-0 max-w-0`}>
        <Link
          aria-describedby="board-keys"
          className="flex min-h-7 pointer-coarse:min-h-11 flex-wrap items-center gap-x-2.5 gap-y-0.5 rounded"
          data-task-id={task.id}
          draggable={false}
          onClick={(event) => actions.onClick(event, task)}
          params={{ taskId: task.id }}
          to="/t/$taskId"
        >
          <span className="flex min-w-0 max-w-full items-center gap-2">
            <span className="sm:hidden">
              <StatusIcon size={14} status={task.status} />
            </span>
            <span className={`min-w-0 truncate ${isQuiet ? "text-ink-soft" : "font-medium"}`}>{task.title}</span>
          </span>
          <span className="flex min-w-0 max-w-full items-center gap-x-2.5 overflow-hidden text-ink-faint text-xs empty:hidden">
            <StateLine state={state} />
            <TaskNumbers state={state} />
            {task.tags.map((tag) => (
              <span className="truncate rounded-full border border-line px-1.5 max-sm:hidden" key={tag}>
                {tag}
              </span>
            ))}
            {task.archived && <span>{text.board.archived}</span>}
          </span>
        </Link>
      </td>
      <td className={`${cell} whitespace-nowrap max-sm:hidden`}>
        <span className="flex items-center gap-1.5">
          <StatusIcon size={14} status={task.status} />
          {text.status[task.status]}
        </span>
      </td>
      <td className={`${cell} whitespace-nowrap max-md:hidden`}>
        {task.priority !== "none" && (
          <span className="flex items-center gap-1.5">
            <PriorityIcon priority={task.priority} />
            {text.priority[task.priority]}
          </span>
        )}
      </td>
      <td className={`${cell} whitespace-nowrap text-ink-faint text-xs max-sm:hidden`}>
        <time dateTime={new Date(task.updatedAt).toISOString()} title={format.dateTime(task.updatedAt)}>
          {format.relative(task.updatedAt, now)}
        </time>
      </td>
      <td className={`${cell} whitespace-nowrap text-ink-faint text-xs max-lg:hidden`}>{format.date(task.createdAt)}</td>
      <td className={`${cell} px-1`}>{!actions.isReadOnly && <TaskMenu actions={actions} task={task} />}</td>
    </tr>
  );
});
