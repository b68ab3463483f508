import type { Attempt, PullRequest, StoredPullRequest } from "@skein/contracts";
import { type StorageTransaction, toPullRequestBadge } from "@skein/engine";
import { changeTaskStatus } from "../executions/change-task-status.ts";

/**
 * Saves the pull request of an attempt. Clients get an event if something that they show has changed. One that was merged completes its
 * task, once: a task that the user reopens later stays open.
 */
export async function savePullRequest(
  tx: StorageTransaction,
  { stored, before, at }: { stored: StoredPullRequest; before: PullRequest | undefined; at: number },
): Promise<void> {
  await tx.putPullRequest(stored);
  const { attemptId, taskId, pullRequest } = stored;
  if (before !== undefined && isSame(before, pullRequest)) return;
  const origin = { taskId, attemptId };
  await tx.appendEvent({ type: "pull-request:changed", ...origin, pullRequest: toPullRequestBadge(attemptId, pullRequest) }, at);
  await tx.appendEvent({ type: "git:changed", ...origin }, at);
  if (pullRequest.state !== "merged" || before?.state === "merged") return;
  const task = await tx.findTask({ id: taskId });
  if (task !== undefined && task.status !== "done" && task.status !== "cancelled") await changeTaskStatus(tx, { task, status: "done", at });
}

/** But for the time at which it was read. */
function isSame({ checkedAt: _before, ...before }: PullRequest, { checkedAt: _after, ...after }: PullRequest): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Whose pull request it is. */
export const toOwner = ({ id, taskId }: Attempt) => ({ attemptId: id, taskId });
