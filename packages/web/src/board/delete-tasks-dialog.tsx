import type { Task } from "@skein/contracts";
import { api } from "../api/api.ts";
import { isNotFound } from "../api/api-error.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { showToast } from "../ui/toast.ts";

/** Deleting stops what runs and removes worktrees: it cannot be undone, so it asks. */
export function DeleteTasksDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose(): void }) {
  const text = useTaskText();
  const format = useFormats();
  const remove = async () => {
    const kept: string[] = [];
    for (const { id } of tasks) {
      try {
        kept.push(...(await api.deleteTask(id)).keptBranches);
      } catch (error) {
        // Another window was faster: it is gone, as it should be.
        if (!isNotFound(error)) throw error;
      }
    }
    if (kept.length > 0) showToast({ text: text.board.keptBranches(format.list(kept)), tone: "plain" });
  };
  return (
    <ConfirmDialog
      action={tasks.length === 1 ? text.task.delete : text.board.deleteSelected(tasks.length)}
      description={text.task.deleteText}
      onConfirm={remove}
      onOpenChange={(open) => !open && onClose()}
      open
      title={tasks.length === 1 ? text.task.deleteTitle : text.board.deleteTitle(tasks.length)}
    />
  );
}
