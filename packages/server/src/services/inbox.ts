import type { InboxItem } from "@skein/contracts";
import { ServiceError, type StorageTransaction } from "@skein/engine";
import { clearInbox, reportItem } from "../executions/inbox-items.ts";
import { missing } from "./lookup.ts";
import type { ServiceContext } from "./service-context.ts";
import type { Services } from "./services.ts";

/** Lists inbox items, clears and restores them. */
export function createInboxService({ storage, now }: ServiceContext): Services["inbox"] {
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

async function putBack(tx: StorageTransaction, { id, attemptId }: InboxItem, at: number): Promise<void> {
  const newest = (await tx.listExecutionIds({ attemptId })).at(-1);
  if (newest !== id) {
    throw new ServiceError("conflict", { code: "inbox-item-superseded" });
  }
  const item = await tx.reopenInboxItem({ id });
  if (item !== undefined) await reportItem(tx, item, at);
}
