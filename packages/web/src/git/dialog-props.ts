import type { AttemptId, GitState } from "@skein/contracts";
import type { GitOperations } from "./use-git-operations.ts";

/** What each dialog of the bar gets. */
export interface GitDialogProps {
  attemptId: AttemptId;
  state: GitState;
  operations: GitOperations;
  onClose(): void;
}
