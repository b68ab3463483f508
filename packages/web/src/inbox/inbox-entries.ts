import type {
  Approval,
  AttemptId,
  BudgetWait,
  EndedItem,
  FeedbackItem,
  InboxItem,
  ParkedWait,
  RunningExecution,
  TaskId,
  WaitingExecution,
} from "@skein/contracts";
import { isHeld } from "@skein/contracts/is-held";
import { toTaskPlace } from "./task-place.ts";

/** One thing that needs the user. */
export type InboxEntry = { id: string; taskId: TaskId; attemptId: AttemptId /** Since when. */; at: number } & (
  | { kind: "approval"; approval: Approval }
  | { kind: "ended"; item: EndedItem }
  | { kind: "feedback"; item: FeedbackItem }
  | { kind: "held"; execution: RunningExecution; wait: BudgetWait | ParkedWait; agent: string }
);

/** Oldest first: it has waited longest, and what is new comes below what is being read. */
export function toInboxEntries(
  approvals: readonly Approval[],
  items: readonly InboxItem[],
  held: readonly WaitingExecution[] = [],
): InboxEntry[] {
  const entries: InboxEntry[] = [
    ...held.flatMap(({ execution, agent }): InboxEntry[] => {
      if (execution.status !== "running" || execution.wait === undefined || !isHeld(execution.wait)) return [];
      const { id, taskId, attemptId, wait } = execution;
      return [{ id, taskId, attemptId, at: wait.since, kind: "held", execution, wait, agent }];
    }),
    ...approvals.map((approval): InboxEntry => {
      const { id, taskId, attemptId, requestedAt } = approval;
      return { id, taskId, attemptId, at: requestedAt, kind: "approval", approval };
    }),
    ...items.map((item): InboxEntry => {
      const { id, taskId, attemptId } = item;
      if (item.kind === "feedback") return { id, taskId, attemptId, at: item.addedAt, kind: "feedback", item };
      return { id, taskId, attemptId, at: item.execution.endedAt, kind: "ended", item };
    }),
  ];
  return entries.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

/** The selection after entries were removed: the selected one, otherwise the next one, otherwise the last; the first if none was selected. */
export function keepChosen(ids: readonly string[], before: readonly string[], chosen: string | null): string | null {
  if (chosen !== null && ids.includes(chosen)) return chosen;
  const at = chosen === null ? -1 : before.indexOf(chosen);
  if (at === -1) return ids[0] ?? null;
  return before.slice(at + 1).find((id) => ids.includes(id)) ?? ids.at(-1) ?? null;
}

/** The page on which an entry is opened. */
export function toEntryPlace(entry: InboxEntry) {
  return toTaskPlace(
    entry.kind === "approval" || entry.kind === "held" ? { taskId: entry.taskId, attemptId: entry.attemptId } : entry.item,
  );
}
