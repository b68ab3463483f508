import { useQuery } from "@tanstack/react-query";
import { taskQuery } from "../api/queries.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { RepositoryHooks } from "../projects/repository-trust.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { HookedAttempt } from "./use-hooks-plan.ts";

/** The hooks as they are in the attempt's folder, whole, to trust them. */
export function HooksReviewDialog({ attemptId, taskId, onClose }: HookedAttempt & { onClose(): void }) {
  const { trust: words } = useSettingsText().shell;
  const { data: task } = useQuery(taskQuery(taskId));
  return (
    <Dialog description={words.hooksText} onOpenChange={(open) => !open && onClose()} open title={words.hooks} width="wide">
      {task && <RepositoryHooks attemptId={attemptId} projectId={task.projectId} />}
    </Dialog>
  );
}
