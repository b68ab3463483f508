import type { AttemptId, InboxItem } from "@skein/contracts";
import { listFeedbackForUser, ServiceError, type StorageTransaction } from "@skein/engine";
import { clearInbox, reportItem } from "../executions/inbox-items.ts";
import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { InboxService } from "./task-services.ts";

/** Lists inbox items, clears and restores them. */
export function createInboxService({ storage, now }: ServiceContext): InboxService {
  return {
    list: () => storage.read.listInboxItems(),
    update: (id, { cleared }) =>
      storage.transaction(async (tx) => {
        const item = (await tx.findInboxItem({ id })) ?? missing("inbox-item", id);
        if (cleared) await clearInbox(tx, { id }, now());
        else await putBack(tx, item, now());
        return (await tx.findInboxItem({ id })) ?? missing("inbox-item", id);
      }),
  };
}

async function putBack(tx: StorageTransaction, { kind, id, attemptId }: InboxItem, at: number): Promise<void> {
  const isCurrent = kind === "feedback" ? await needsUser(tx, attemptId) : (await tx.listExecutionIds({ attemptId })).at(-1) === id;
  if (!isCurrent) throw new ServiceError("conflict", { code: "inbox-item-superseded" });
  const item = await tx.reopenInboxItem({ id });
  if (item !== undefined) await reportItem(tx, item, at);
}

/** Whether the pull request still has feedback that the agent has not been sent. */
async function needsUser(tx: StorageTransaction, attemptId: AttemptId): Promise<boolean> {
  const stored = await tx.findPullRequest({ attemptId });
  if (stored === undefined) return false;
  const { checks, reviews } = listFeedbackForUser(stored.pullRequest, { maxRounds: 0 });
  return checks.length + reviews.length > 0;
}
