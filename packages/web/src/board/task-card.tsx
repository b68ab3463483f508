import type { Task } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { KnownTask } from "../api/task-activity.ts";
import { useText } from "../i18n/locale.tsx";
import { canStart } from "../start/can-start.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PriorityIcon } from "./priority-icon.tsx";
import { SelectBox } from "./select-box.tsx";
import type { TaskActions } from "./task-actions.ts";
import { TaskMenu } from "./task-menu.tsx";
import { StateLine, TaskNumbers } from "./task-state-line.tsx";
import { useTaskState } from "./use-task-state.ts";

export interface TaskCardProps {
  task: KnownTask;
  selected: boolean;
  /** Something is selected: every card shows its box. */
  selecting: boolean;
  lifted: boolean;
  actions: TaskActions;
}

/** Drawn again only when it looks different: one board holds hundreds. */
export const TaskCard = memo(function TaskCard({ task, selected, selecting, lifted, actions }: TaskCardProps) {
  const text = useText();
  const state = useTaskState(task);
  const startable = canStart(task) && !actions.isReadOnly;
  // on a touch screen the buttons are as high as two lines
  const besideButtons = startable ? "pointer-coarse:pe-20" : "pointer-coarse:pe-9";
  const quiet = task.status === "done" || task.status === "cancelled" || task.archived;
  return (
    <div className={`group relative ${lifted ? "opacity-40" : ""}`}>
      <Link
        aria-describedby="board-keys"
        className={`block touch-manipulation select-none rounded-lg border px-3 py-2.5 shadow-xs [-webkit-touch-callout:none] hover:border-line-strong focus-visible:border-accent ${selected ? "border-accent bg-accent-wash" : "border-line bg-raised"}`}
        data-task-id={task.id}
        draggable={false}
        onClick={(event) => actions.onClick(event, task)}
        params={{ taskId: task.id }}
        to="/t/$taskId"
      >
        {selected && <span className="sr-only">{text.board.selected} </span>}
        <span
          className={`line-clamp-4 [overflow-wrap:anywhere] ${startable ? "pe-14" : "pe-6"} ${besideButtons} ${quiet ? "text-ink-soft" : ""} ${selecting ? "ps-6 pointer-coarse:ps-9" : ""}`}
        >
          {task.title}
        </span>
        {state.state !== "idle" && (
          <span className={`mt-1.5 flex text-ink-faint text-xs ${besideButtons}`}>
            <StateLine state={state} />
          </span>
        )}
        <CardFacts className={state.state === "idle" ? besideButtons : ""} task={task}>
          <CardPriority task={task} />
          <TaskNumbers state={state} />
          {state.state === "idle" && <StateLine state={state} />}
        </CardFacts>
      </Link>
      <SelectBox
        className={`absolute start-2 top-2 pointer-coarse:start-0 pointer-coarse:top-0 ${selecting ? "" : "hidden"}`}
        label={text.board.select(task.title)}
        onChange={(range) => actions.onSelect(task, range)}
        selected={selected}
      />
      <div className="absolute end-1 top-1.5 flex rounded-md bg-raised opacity-0 focus-within:opacity-100 group-hover:opacity-100 has-[[aria-expanded=true]]:opacity-100 pointer-coarse:opacity-100">
        {startable && (
          <IconButton label={text.start.startTask(task.title)} onClick={() => actions.start([task])} title={`${text.start.start} (S)`}>
            <Icon name="play" size={14} />
          </IconButton>
        )}
        {!actions.isReadOnly && <TaskMenu actions={actions} task={task} />}
      </div>
    </div>
  );
});

function CardFacts({ task, className, children }: { task: Task; className: string; children: React.ReactNode }) {
  const text = useText();
  return (
    <span className={`mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-faint text-xs empty:hidden ${className}`}>
      {children}
      {task.tags.map((tag) => (
        <span className="max-w-full truncate rounded-full border border-line px-1.5" key={tag}>
          {tag}
        </span>
      ))}
      {task.archived && (
        <span className="flex items-center gap-1">
          <Icon name="archive" size={12} />
          {text.board.archived}
        </span>
      )}
    </span>
  );
}

function CardPriority({ task }: { task: Task }) {
  const text = useText();
  if (task.priority === "none") return null;
  return (
    <span className="flex items-center gap-1">
      <PriorityIcon priority={task.priority} />
      {text.priority[task.priority]}
    </span>
  );
}
