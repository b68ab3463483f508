import type { KnownTask } from "../api/task-activity.ts";

/** A task that nobody has tried yet. Further attempts are chosen on its page. */
export function canStart({ status, archived, activeAttemptId, activity }: KnownTask): boolean {
  return status === "todo" && !archived && activeAttemptId === null && (activity?.attemptId ?? null) === null;
}
