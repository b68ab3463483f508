import type { Attempt, PullRequest, StoredPullRequest } from "@skein/contracts";
import { listFeedbackForUser, type StorageTransaction, toFeedbackItem, toPullRequestBadge } from "@skein/engine";
import { changeTaskStatus } from "../executions/change-task-status.ts";
import { isInboxOpenTo, reportItem } from "../executions/inbox-items.ts";

/**
 * Saves the pull request of an attempt. Clients get an event if something that they show has changed. Feedback that needs the user is
 * added to the inbox, and cleared when it was sent, fixed, or the pull request ended. One that was merged completes its task, once: a
 * task that the user reopens later stays open.
 */
export async function savePullRequest(
  tx: StorageTransaction,
  {
    before,
    at,
    maxRounds,
    ...input
  }: {
    stored: StoredPullRequest;
    before: PullRequest | undefined;
    at: number;
    /** How often feedback is sent automatically: such feedback does not need the user. */
    maxRounds: number;
  },
): Promise<void> {
  const { attemptId, taskId, pullRequest } = input.stored;
  const task = await tx.findTask({ id: taskId });
  const list = (one: PullRequest | undefined) => (one === undefined ? [] : Object.values(listFeedbackForUser(one, { maxRounds })).flat());
  const feedback = task !== undefined && isInboxOpenTo(task) ? list(pullRequest) : [];
  const inbox = toInboxState(input.stored.inbox, { before: list(before), feedback, at });
  const stored = { ...input.stored, inbox };
  await tx.putPullRequest(stored);
  if (before !== undefined && isSame(before, pullRequest) && inbox === input.stored.inbox) return;
  const origin = { taskId, attemptId };
  await tx.appendEvent({ type: "pull-request:changed", ...origin, pullRequest: toPullRequestBadge(attemptId, pullRequest) }, at);
  await tx.appendEvent({ type: "git:changed", ...origin }, at);
  const item = toFeedbackItem(stored);
  // an item that is open may have changed, such as by another check that failed
  if (item !== undefined && (inbox !== input.stored.inbox || item.clearedAt === null)) await reportItem(tx, item, at);
  if (pullRequest.state !== "merged" || before?.state === "merged") return;
  if (task !== undefined && task.status !== "done" && task.status !== "cancelled") await changeTaskStatus(tx, { task, status: "done", at });
}

/** The same object if nothing changes. An item that was cleared is opened again by feedback that is new. */
function toInboxState(
  inbox: StoredPullRequest["inbox"],
  { before, feedback, at }: { before: readonly string[]; feedback: readonly string[]; at: number },
): StoredPullRequest["inbox"] {
  const isOpen = inbox !== null && inbox.clearedAt === null;
  if (feedback.length === 0) return isOpen ? { ...inbox, clearedAt: at } : inbox;
  const isNew = inbox === null || feedback.some((id) => !before.includes(id));
  return !isOpen && isNew ? { addedAt: at, clearedAt: null } : inbox;
}

/** Ignores the time at which it was read. */
function isSame({ checkedAt: _before, ...before }: PullRequest, { checkedAt: _after, ...after }: PullRequest): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Whose pull request it is. */
export const toOwner = ({ id, taskId }: Attempt) => ({ attemptId: id, taskId });
