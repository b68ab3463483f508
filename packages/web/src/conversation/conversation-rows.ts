import type { Approval, AttemptId, ConversationMessage } from "@skein/contracts";
import type { OutgoingMessage } from "./outgoing-message.ts";

export type ConversationRow =
  | { kind: "message"; key: string; message: ConversationMessage; undoIn: AttemptId | null }
  | { kind: "outgoing"; key: string; message: OutgoingMessage }
  | { kind: "approval"; key: string; approval: Approval }
  | { kind: "working"; key: string; startedAt: number; waiting: boolean };

/** Everything the list shows, top to bottom: messages, what waits for an answer, that the agent works, what is on its way. */
export function toConversationRows(input: {
  messages: readonly ConversationMessage[];
  approvals: readonly Approval[];
  outgoing: readonly OutgoingMessage[];
  runningSince: number | null;
  /** The attempt, where its compression can be taken back. */
  undoIn: AttemptId | null;
}): ConversationRow[] {
  // Only the last compression can be taken back.
  const lastSummary = input.messages.findLast(({ messageType }) => messageType === "summary");
  const rows: ConversationRow[] = input.messages.map((message) => ({
    kind: "message",
    key: message.id,
    message,
    undoIn: message === lastSummary ? input.undoIn : null,
  }));
  const pending = input.approvals.filter((approval) => approval.status === "pending");
  for (const approval of pending) rows.push({ kind: "approval", key: approval.id, approval });
  if (input.runningSince !== null)
    rows.push({ kind: "working", key: "working", startedAt: input.runningSince, waiting: pending.length > 0 });
  for (const message of input.outgoing) rows.push({ kind: "outgoing", key: message.commandId, message });
  return rows;
}

/** Close to the real heights: the scroll bar jumps less while rows above are measured for the first time. */
export function estimateRowHeight(row: ConversationRow | undefined): number {
  if (!row) return 40;
  if (row.kind === "approval") return 180;
  if (row.kind === "working") return 36;
  if (row.kind === "outgoing") return 60;
  const { messageType, content } = row.message;
  if (messageType !== "text") return 34;
  return 32 + 24 * Math.ceil(Math.min(content.length, 8000) / 80);
}
