import type { Approval, AttemptId, ConversationMessage, EndedExecution, Execution, ToolExecutionMessage } from "@skein/contracts";
import { groupSmallTools } from "./group-small-tools.ts";
import { toDepths } from "./nesting.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

export type ConversationRow =
  | { kind: "message"; key: string; message: ConversationMessage; depth: number; undoIn: AttemptId | null }
  | { kind: "group"; key: string; messages: readonly ToolExecutionMessage[]; depth: number }
  | { kind: "execution-end"; key: string; execution: EndedExecution; canContinue: boolean }
  | { kind: "outgoing"; key: string; message: OutgoingMessage }
  | { kind: "approval"; key: string; approval: Approval; active: boolean }
  /** `since`: of the oldest question that waits, or of the execution. */
  | { kind: "working"; key: string; since: number; waiting: boolean };

/** Everything the list shows, top to bottom: messages with the end of each execution, what waits for an answer, that the agent works, what is on its way. */
export function toConversationRows(input: {
  messages: readonly ConversationMessage[];
  approvals: readonly Approval[];
  outgoing: readonly OutgoingMessage[];
  executions: readonly Execution[];
  runningSince: number | null;
  /** The attempt, where its compression can be taken back, and the summary that is in use there. */
  undo: { attemptId: AttemptId; summaryId: string } | null;
}): ConversationRow[] {
  const depths = toDepths(input.messages);
  const ends = endsByMessage(input.messages, input.executions);
  // Only the newest one left something open.
  const newest = input.executions.at(-1);
  const rows: ConversationRow[] = [];
  for (const entry of groupSmallTools(input.messages, depths)) {
    let lastId: string | undefined;
    if (entry.kind === "group") {
      rows.push(entry);
      lastId = entry.messages.at(-1)?.id;
    } else {
      const { message, depth } = entry;
      const canUndo = message.messageType === "summary" && message.metadata.summaryId === input.undo?.summaryId;
      rows.push({ kind: "message", key: message.id, message, depth, undoIn: canUndo ? (input.undo?.attemptId ?? null) : null });
      lastId = message.id;
    }
    const execution = ends.get(lastId ?? "");
    if (execution) {
      const canContinue = execution.status !== "success" && execution === newest;
      rows.push({ kind: "execution-end", key: execution.id, execution, canContinue });
    }
  }
  const pending = input.approvals.filter((approval) => approval.status === "pending");
  // the oldest one is answered by keyboard
  for (const approval of pending) rows.push({ kind: "approval", key: approval.id, approval, active: approval === pending[0] });
  if (input.runningSince !== null)
    rows.push({
      kind: "working",
      key: "working",
      since: pending.length > 0 ? Math.min(...pending.map(({ requestedAt }) => requestedAt)) : input.runningSince,
      waiting: pending.length > 0,
    });
  for (const message of input.outgoing) rows.push({ kind: "outgoing", key: message.commandId, message });
  return rows;
}

/** The executions that have ended, by the id of the last message of each. */
function endsByMessage(messages: readonly ConversationMessage[], executions: readonly Execution[]): Map<string, EndedExecution> {
  const lastMessage = new Map<string, string>();
  for (const { id, metadata } of messages) if (metadata?.executionId) lastMessage.set(metadata.executionId, id);
  const ends = new Map<string, EndedExecution>();
  for (const execution of executions) {
    const messageId = lastMessage.get(execution.id);
    if (execution.status !== "running" && messageId !== undefined) ends.set(messageId, execution);
  }
  return ends;
}

/** The row that shows a message; -1 when none does. Unmerged, a tool's message has another id than the stored one. */
export function findRow(rows: readonly ConversationRow[], messageId: string): number {
  const ids = new Set([messageId, messageId.replace(/-merged$/, ""), `${messageId}-result`]);
  return rows.findIndex((row) =>
    row.kind === "message" ? ids.has(row.message.id) : row.kind === "group" && row.messages.some(({ id }) => ids.has(id)),
  );
}

/** Close to the real heights: the scroll bar jumps less while rows above are measured for the first time. */
export function estimateRowHeight(row: ConversationRow | undefined): number {
  if (!row) return 40;
  if (row.kind === "approval") return 180;
  if (row.kind === "working") return 36;
  if (row.kind === "execution-end") return 24;
  if (row.kind === "outgoing") return 60;
  if (row.kind === "group") return 34;
  const { messageType, content } = row.message;
  if (messageType !== "text") return 34;
  return 32 + 24 * Math.ceil(Math.min(content.length, 8000) / 80);
}
