import type {
  Approval,
  AttemptId,
  BudgetWait,
  ConversationMessage,
  EndedExecution,
  Execution,
  ExecutionId,
  ExecutionWait,
  ParkedWait,
  RunningExecution,
  ToolExecutionMessage,
} from "@skein/contracts";
import { isHeld } from "@skein/contracts/is-held";
import { type ConversationEntry, groupSmallTools } from "./group-small-tools.ts";
import { type ConversationNode, keyOf, messagesIn, type SubagentView, toSubagentView } from "./nesting.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** Deeper ones are shown at this depth: on a narrow screen there must be room left for the text. */
const deepest = 4;

/** What a row of a subagent holds inside, in rows of their own while it is open. */
export interface NestedRows {
  isOpen: boolean;
  view: SubagentView;
  messageIds: ReadonlySet<string>;
}

export type ConversationRow =
  | {
      kind: "message";
      key: string;
      message: ConversationMessage;
      depth: number;
      undoIn: AttemptId | null;
      /** The first message of an execution, which the user sent. */
      canResend: boolean;
      nested: NestedRows | null;
    }
  | { kind: "cardless"; key: string; depth: number; nested: NestedRows }
  | { kind: "group"; key: string; messages: readonly ToolExecutionMessage[]; depth: number }
  | { kind: "execution-end"; key: string; execution: EndedExecution; canContinue: boolean }
  | { kind: "outgoing"; key: string; message: OutgoingMessage }
  | { kind: "approval"; key: string; approval: Approval; active: boolean }
  /** `since`: of the oldest question that waits, or of the execution. */
  | { kind: "working"; key: string; since: number; waiting: boolean }
  /** Its agent is not started yet. */
  | { kind: "held"; key: string; executionId: ExecutionId; wait: Exclude<ExecutionWait, BudgetWait | ParkedWait> }
  | { kind: "blocked"; key: string; execution: RunningExecution; wait: BudgetWait | ParkedWait };

/**
 * Everything the list shows, top to bottom: messages with the end of each execution, open questions, the agent's activity, and
 * messages that are being sent.
 */
export function toConversationRows(input: {
  nodes: readonly ConversationNode[];
  /** Which subagents are open: keys of their nodes. */
  open: ReadonlySet<string>;
  approvals: readonly Approval[];
  outgoing: readonly OutgoingMessage[];
  executions: readonly Execution[];
  running: Execution | null;
  /** The attempt, where its compression can be undone, and the summary that is in use there. */
  undo: { attemptId: AttemptId; summaryId: string } | null;
}): ConversationRow[] {
  const { undo, open } = input;
  const rows: ConversationRow[] = [];
  const started = new Set<string>();
  /** Later ones of the same execution reached the agent at work. */
  const startsExecution = ({ role, messageType, metadata }: ConversationMessage): boolean => {
    const id = metadata?.executionId;
    if (role !== "user" || messageType !== "text" || id === undefined || started.has(id)) return false;
    started.add(id);
    return true;
  };
  const addEntry = (entry: ConversationEntry, depth: number): void => {
    if (entry.kind === "group") {
      rows.push({ ...entry, depth });
      return;
    }
    const nested = toNestedRows(entry, open);
    if (entry.kind === "message") {
      const { message } = entry;
      const canUndo = message.messageType === "summary" && message.metadata.summaryId === undo?.summaryId;
      const undoIn = canUndo ? (undo?.attemptId ?? null) : null;
      rows.push({ kind: "message", key: message.id, message, depth, undoIn, canResend: startsExecution(message), nested });
    } else if (nested) rows.push({ kind: "cardless", key: keyOf(entry), depth, nested });
    if (!nested?.isOpen) return;
    for (const inner of groupSmallTools(entry.children)) addEntry(inner, Math.min(deepest, depth + 1));
  };
  const entries = groupSmallTools(input.nodes);
  const ends = endsByEntry(entries, input.executions);
  // Only the newest one left something open.
  const newest = input.executions.at(-1);
  for (const entry of entries) {
    addEntry(entry, 0);
    for (const execution of ends.get(entry) ?? []) {
      const canContinue = execution.status !== "success" && execution === newest;
      rows.push({ kind: "execution-end", key: execution.id, execution, canContinue });
    }
  }
  const pending = input.approvals.filter((approval) => approval.status === "pending");
  // the oldest one is answered by keyboard
  for (const approval of pending) rows.push({ kind: "approval", key: approval.id, approval, active: approval === pending[0] });
  if (input.running !== null) rows.push(toRunningRow(input.running, pending));
  for (const message of input.outgoing) rows.push({ kind: "outgoing", key: message.commandId, message });
  return rows;
}

function toRunningRow(execution: Execution, pending: readonly Approval[]): ConversationRow {
  if (execution.status === "running" && execution.wait !== undefined)
    return isHeld(execution.wait)
      ? { kind: "blocked", key: "blocked", execution, wait: execution.wait }
      : { kind: "held", key: "held", executionId: execution.id, wait: execution.wait };
  const since = pending.length > 0 ? Math.min(...pending.map(({ requestedAt }) => requestedAt)) : execution.startedAt;
  return { kind: "working", key: "working", since, waiting: pending.length > 0 };
}

function toNestedRows(node: ConversationNode, open: ReadonlySet<string>): NestedRows | null {
  if (node.children.length === 0) return null;
  const messageIds = new Set(node.children.flatMap(messagesIn).map(({ id }) => id));
  return { isOpen: open.has(keyOf(node)), view: toSubagentView(node.children), messageIds };
}

/** The executions that have ended, by the last entry that holds a message of each. */
function endsByEntry(entries: readonly ConversationEntry[], executions: readonly Execution[]): Map<ConversationEntry, EndedExecution[]> {
  const lastEntry = new Map<string, ConversationEntry>();
  for (const entry of entries)
    for (const { metadata } of entry.kind === "group" ? entry.messages : messagesIn(entry))
      if (metadata?.executionId) lastEntry.set(metadata.executionId, entry);
  const ends = new Map<ConversationEntry, EndedExecution[]>();
  for (const execution of executions) {
    const entry = lastEntry.get(execution.id);
    if (execution.status !== "running" && entry) ends.set(entry, [...(ends.get(entry) ?? []), execution]);
  }
  return ends;
}

/** The row that shows a message; -1 when none does. */
export function findRow(rows: readonly ConversationRow[], messageId: string): number {
  const ids = shownIds(messageId);
  return rows.findIndex((row) =>
    row.kind === "message" ? ids.includes(row.message.id) : row.kind === "group" && row.messages.some(({ id }) => ids.includes(id)),
  );
}

/** The closed row that holds a message inside. Opened, it may show another one that does. */
export function findClosedRow(rows: readonly ConversationRow[], messageId: string): ConversationRow | undefined {
  const ids = shownIds(messageId);
  return rows.find((row) => {
    const nested = row.kind === "message" || row.kind === "cardless" ? row.nested : null;
    return nested !== null && !nested.isOpen && ids.some((id) => nested.messageIds.has(id));
  });
}

/** Unmerged, a tool's message has another id than the stored one. */
function shownIds(messageId: string): string[] {
  return [messageId, messageId.replace(/-merged$/, ""), `${messageId}-result`];
}

/** Close to the real heights: the scroll bar jumps less while rows above are measured for the first time. */
export function estimateRowHeight(row: ConversationRow | undefined): number {
  if (!row) return 40;
  if (row.kind === "approval") return 180;
  if (row.kind === "working") return 36;
  if (row.kind === "held") return 100;
  if (row.kind === "blocked") return 150;
  if (row.kind === "execution-end") return 24;
  if (row.kind === "outgoing") return 60;
  if (row.kind === "group" || row.kind === "cardless") return 34;
  const { messageType, content } = row.message;
  if (messageType !== "text") return 34;
  return 32 + 24 * Math.ceil(Math.min(content.length, 8000) / 80);
}
