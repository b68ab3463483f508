import type { Attempt, Task, UpdateTask } from "@skein/contracts";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { api } from "../api/api.ts";
import type { TaskView } from "../app/router.tsx";
import { statusOrder } from "../board/board-filters.ts";
import { PriorityIcon } from "../board/priority-icon.tsx";
import { StatusIcon } from "../board/status-icon.tsx";
import { useText } from "../i18n/locale.tsx";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { EditableText } from "./editable-text.tsx";

const ConfirmDialog = lazyComponent(() => import("../ui/confirm-dialog.tsx"), "ConfirmDialog").Component;
const priorities = ["none", "low", "medium", "high", "urgent"] as const;

export interface TaskHeaderProps {
  task: Task;
  attempt: Attempt | undefined;
  view: TaskView;
  onView(view: TaskView): void;
  detailsOpen: boolean;
  onDetails(open: boolean): void;
  onNewAttempt(): void;
  /** Tells a failure itself. */
  onUpdate(changes: UpdateTask): Promise<void>;
}

export function TaskHeader({ task, attempt, view, onView, detailsOpen, onDetails, onNewAttempt, onUpdate }: TaskHeaderProps) {
  const text = useText();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<"task" | "attempt" | null>(null);
  return (
    <header className="flex min-h-12 shrink-0 items-center gap-1.5 border-line border-b px-2 sm:px-3">
      <Link
        aria-label={text.task.backToBoard}
        className={buttonClass("quiet", "px-1.5")}
        params={{ projectId: task.projectId }}
        title={text.task.backToBoard}
        to="/p/$projectId"
      >
        <Icon name="arrowLeft" />
      </Link>
      <Menu
        entries={[
          menuChoices({
            label: text.board.status,
            value: task.status,
            choices: statusOrder.map((status) => ({
              value: status,
              label: text.status[status],
              icon: <StatusIcon size={14} status={status} />,
            })),
            onChoose: (status) => void onUpdate({ status }),
          }),
          { kind: "line" },
          menuChoices({
            label: text.priority.label,
            value: task.priority,
            choices: priorities.map((priority) => ({
              value: priority,
              label: text.priority[priority],
              icon: <PriorityIcon priority={priority} />,
            })),
            onChoose: (priority) => void onUpdate({ priority }),
          }),
        ]}
        trigger={
          <button
            aria-label={`${text.board.status}: ${text.status[task.status]}`}
            className="flex size-8 pointer-coarse:size-10 shrink-0 items-center justify-center rounded-md hover:bg-hover"
            title={text.status[task.status]}
            type="button"
          >
            <StatusIcon status={task.status} />
          </button>
        }
      />
      <h1 className="min-w-0 flex-1 font-semibold">
        <EditableText label={text.task.editTitle} maxLength={500} onSave={(title) => onUpdate({ title })} value={task.title} />
      </h1>
      <IconButton
        aria-expanded={detailsOpen}
        className="aria-expanded:bg-active"
        label={text.task.details}
        onClick={() => onDetails(!detailsOpen)}
      >
        <Icon name="info" />
      </IconButton>
      {attempt && (
        <Button
          aria-pressed={view === "changes"}
          className="max-sm:px-2 aria-pressed:bg-active"
          look="quiet"
          onClick={() => onView(view === "changes" ? "conversation" : "changes")}
        >
          <Icon name="diff" size={15} />
          <span className="max-sm:sr-only">{text.task.changes}</span>
        </Button>
      )}
      <Button className="max-sm:px-2" onClick={onNewAttempt}>
        <Icon name="plus" size={14} />
        <span className="max-sm:sr-only">{text.attempt.new}</span>
      </Button>
      <Menu
        align="end"
        entries={[
          attempt
            ? { kind: "item", icon: "trash", label: text.attempt.delete, danger: true, onSelect: () => setDeleting("attempt") }
            : null,
          { kind: "item", icon: "trash", label: text.task.delete, danger: true, onSelect: () => setDeleting("task") },
        ]}
        trigger={
          <IconButton label={text.app.more}>
            <Icon name="more" />
          </IconButton>
        }
      />
      <Suspense>
        {deleting === "task" && (
          <ConfirmDialog
            action={text.task.delete}
            description={text.task.deleteText}
            onConfirm={async () => {
              await api.deleteTask(task.id);
              await navigate({ to: "/p/$projectId", params: { projectId: task.projectId } });
            }}
            onOpenChange={() => setDeleting(null)}
            open
            title={text.task.deleteTitle}
          />
        )}
        {deleting === "attempt" && attempt && (
          <ConfirmDialog
            action={text.attempt.delete}
            description={text.attempt.deleteText}
            onConfirm={async () => {
              await api.deleteAttempt(attempt.id);
              await navigate({ to: "/t/$taskId", params: { taskId: task.id } });
            }}
            onOpenChange={() => setDeleting(null)}
            open
            title={text.attempt.deleteTitle(attempt.number)}
          />
        )}
      </Suspense>
    </header>
  );
}
