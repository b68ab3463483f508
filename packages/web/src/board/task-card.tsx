import type { Task, TaskStatus } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { api } from "../api/api.ts";
import { useText } from "../i18n/locale.tsx";
import { agentName } from "../task/agent-name.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { columnOrder } from "./board-columns.ts";
import { dragType } from "./drag-type.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { useTaskActivity } from "./use-task-activity.ts";

const ConfirmDialog = lazyComponent(() => import("../ui/confirm-dialog.tsx"), "ConfirmDialog").Component;

export function TaskCard({ task, onMove }: { task: Task; onMove(status: TaskStatus): void }) {
  const text = useText();
  const activity = useTaskActivity(task, { withAgent: true });
  const [deleting, setDeleting] = useState(false);
  const quiet = task.status === "done" || task.status === "cancelled";
  return (
    <div className="group relative">
      <Link
        className="block rounded-lg border border-line bg-raised px-3 py-2.5 shadow-xs hover:border-line-strong focus-visible:border-accent"
        data-task-id={task.id}
        draggable
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, task.id);
          event.dataTransfer.effectAllowed = "move";
        }}
        params={{ taskId: task.id }}
        to="/t/$taskId"
      >
        <span className={`block pe-6 [overflow-wrap:anywhere] ${quiet ? "text-ink-soft" : ""}`}>{task.title}</span>
        <span className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-faint text-xs empty:hidden">
          {activity.state === "running" && (
            <span className="flex items-center gap-1 font-medium text-accent">
              <Spinner size={12} />
              {text.board.running}
            </span>
          )}
          {activity.state === "waiting" && (
            <span className="flex items-center gap-1 font-medium text-warn">
              <Icon name="shield" size={12} />
              {text.board.waiting}
            </span>
          )}
          {task.priority !== "none" && (
            <span className="flex items-center gap-1">
              <PriorityIcon priority={task.priority} />
              {text.priority[task.priority]}
            </span>
          )}
          {activity.agent && <span>{agentName(activity.agent)}</span>}
          {task.tags.map((tag) => (
            <span className="rounded-full border border-line px-1.5" key={tag}>
              {tag}
            </span>
          ))}
        </span>
      </Link>
      <div className="absolute end-1 top-1.5 opacity-0 focus-within:opacity-100 group-hover:opacity-100 has-[[aria-expanded=true]]:opacity-100 pointer-coarse:opacity-100">
        <Menu
          align="end"
          entries={[
            menuChoices({
              label: text.board.status,
              value: task.status,
              choices: columnOrder.map((status) => ({
                value: status,
                label: text.status[status],
                icon: <StatusIcon size={14} status={status} />,
              })),
              onChoose: onMove,
            }),
            { kind: "line" },
            { kind: "item", icon: "trash", label: text.task.delete, danger: true, onSelect: () => setDeleting(true) },
          ]}
          trigger={
            <IconButton className="bg-raised" label={text.board.taskActions(task.title)}>
              <Icon name="more" />
            </IconButton>
          }
        />
      </div>
      <Suspense>
        {deleting && (
          <ConfirmDialog
            action={text.task.delete}
            description={text.task.deleteText}
            onConfirm={() => api.deleteTask(task.id)}
            onOpenChange={setDeleting}
            open
            title={text.task.deleteTitle}
          />
        )}
      </Suspense>
    </div>
  );
}
