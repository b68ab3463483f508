import type { KnownTask } from "../api/task-activity.ts";

/** A task without attempts. Further attempts are started from its page. */
export function canStart({ status, archived, activeAttemptId, activity }: KnownTask): boolean {
  return status === "todo" && !archived && activeAttemptId === null && (activity?.attemptId ?? null) === null;
}
