import { useQueries, useQuery } from "@tanstack/react-query";
import { heldQuery } from "../api/held-api.ts";
import { approvalsQuery, inboxQuery, taskQuery } from "../api/queries.ts";
import { type InboxEntry, toInboxEntries } from "./inbox-entries.ts";

export interface Inbox {
  entries: readonly InboxEntry[];
  /** No item is left out while the name of its task is being loaded. */
  isComplete: boolean;
  isEmpty: boolean;
  error: unknown;
}

/** A question without the name of its task would be answered blindly: each is shown once its task is known. */
export function useInbox(): Inbox {
  const approvals = useQuery(approvalsQuery);
  const items = useQuery(inboxQuery);
  const held = useQuery(heldQuery);
  const all = toInboxEntries(approvals.data ?? [], items.data ?? [], held.data);
  const taskIds = [...new Set(all.map(({ taskId }) => taskId))];
  const tasks = useQueries({ queries: taskIds.map(taskQuery) });
  const isLoaded = approvals.data !== undefined && items.data !== undefined;
  return {
    entries: isLoaded ? all.filter(({ taskId }) => tasks[taskIds.indexOf(taskId)]?.isPending === false) : [],
    isComplete: isLoaded && tasks.every(({ isPending }) => !isPending),
    isEmpty: isLoaded && all.length === 0,
    error: approvals.data && items.data ? null : (approvals.error ?? items.error),
  };
}
