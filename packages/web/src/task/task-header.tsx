import type { Attempt, StartForm, Task, UpdateTask } from "@skein/contracts";
import { toTaskPrompt } from "@skein/engine";
import { Link, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { api } from "../api/api.ts";
import { StatusIcon } from "../board/status-icon.tsx";
import { useTaskChoices } from "../board/task-choices.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button, buttonClass, IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy-component.ts";
import { Menu } from "../ui/menu.tsx";
import { useMedia } from "../ui/use-media.ts";
import { EditableText } from "./editable-text.tsx";
import type { TaskView } from "./task-view.ts";

const ConfirmDialog = lazyComponent(() => import("../ui/confirm-dialog.tsx"), "ConfirmDialog").Component;

const TemplateDialog = lazyComponent(() => import("../automations/template-dialog.tsx"), "TemplateDialog").Component;

export interface TaskHeaderProps {
  task: Task;
  attempt: Attempt | undefined;
  view: TaskView;
  onView(view: TaskView): void;
  detailsOpen: boolean;
  onDetails(open: boolean): void;
  onNewAttempt(): void;
  /** Reports failures itself. */
  onUpdate(changes: UpdateTask): Promise<void>;
}

export function TaskHeader({ task, attempt, view, onView, detailsOpen, onDetails, onNewAttempt, onUpdate }: TaskHeaderProps) {
  const text = useTaskText();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState<"task" | "attempt" | null>(null);
  const [saving, setSaving] = useState(false);
  const isReadOnly = useReadOnlyPlace();
  // Next to all the buttons, only the first word of the title would fit.
  const isNarrow = useMedia("(width < 40rem)");
  const choices = useTaskChoices(task, {
    onStatus: (status) => void onUpdate({ status }),
    onPriority: (priority) => void onUpdate({ priority }),
  });
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
        entries={choices}
        trigger={
          <button
            aria-label={text.app.labelled(text.board.status, text.status[task.status])}
            className="flex size-8 pointer-coarse:size-10 shrink-0 items-center justify-center rounded-md hover:bg-hover"
            disabled={isReadOnly}
            title={text.status[task.status]}
            type="button"
          >
            <StatusIcon status={task.status} />
          </button>
        }
      />
      <h1 className="min-w-0 flex-1 font-semibold">
        {isReadOnly ? (
          <span className="block truncate px-1.5">{task.title}</span>
        ) : (
          <EditableText label={text.task.editTitle} maxLength={500} onSave={(title) => onUpdate({ title })} value={task.title} />
        )}
      </h1>
      {!isNarrow && (
        <IconButton
          aria-expanded={detailsOpen}
          className="aria-expanded:bg-active"
          label={text.task.details}
          onClick={() => onDetails(!detailsOpen)}
        >
          <Icon name="info" />
        </IconButton>
      )}
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
      {!isNarrow && !isReadOnly && (
        <Button onClick={onNewAttempt}>
          <Icon name="plus" size={14} />
          {text.attempt.new}
        </Button>
      )}
      {(isNarrow || !isReadOnly) && (
        <Menu
          align="end"
          entries={[
            ...(isNarrow
              ? ([
                  { kind: "item", icon: "info", label: text.task.details, onSelect: () => onDetails(!detailsOpen) },
                  ...(isReadOnly
                    ? []
                    : ([{ kind: "item", icon: "plus", label: text.attempt.new, onSelect: onNewAttempt }, { kind: "line" }] as const)),
                ] as const)
              : []),
            isReadOnly ? null : { kind: "item", icon: "file", label: text.start.template.save, onSelect: () => setSaving(true) },
            attempt && !isReadOnly
              ? { kind: "item", icon: "trash", label: text.attempt.delete, danger: true, onSelect: () => setDeleting("attempt") }
              : null,
            isReadOnly ? null : { kind: "item", icon: "trash", label: text.task.delete, danger: true, onSelect: () => setDeleting("task") },
          ]}
          trigger={
            <IconButton label={text.app.more}>
              <Icon name="more" />
            </IconButton>
          }
        />
      )}
      <Suspense>
        {saving && (
          <TemplateDialog
            form={{ prompt: toTaskPrompt(task), ...(attempt && toStartForm(attempt)) }}
            name={task.title}
            onClose={() => setSaving(false)}
            projectId={task.projectId}
          />
        )}
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

/** What a template of this attempt begins with. Its base branch may be one that is gone soon: as the project says. */
const toStartForm = ({ agent, model, permissionMode, sandbox }: Attempt): Partial<StartForm> => ({
  ...{ agent, model, permissionMode, sandbox: sandbox ?? null },
});
