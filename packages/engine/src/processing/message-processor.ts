import type { AgentOutput, ConversationMessage, MessageBody, MessageId, Usage } from "@skein/contracts";
import type { ProcessorSnapshot } from "./processor-state.ts";

/** A protocol message as the processor knows it; the server adds attempt and execution. */
export interface MessageDraft {
  id: MessageId;
  /** Order within the execution. The user's own message is 0. */
  position: number;
  body: MessageBody;
  model?: string;
  usage?: Usage;
  createdAt: number;
}

/** What one output changed. Both lists are upserts by id; a conversation message comes with a higher revision each time. */
export interface ProcessedStep {
  conversation: ConversationMessage[];
  messages: MessageDraft[];
}

/**
 * Turns the outputs of ONE execution into what is stored and shown. Deterministic: the same outputs give the same
 * ids, revisions and times, so a log that is read again after a crash continues what a client has already seen.
 */
export interface MessageProcessor {
  apply(output: AgentOutput): ProcessedStep;
  /** The execution is over: text is closed, every tool execution that is still open ends as `interrupted`. */
  settle(input: { at: number; reason: string }): ProcessedStep;
  /**
   * Ends tool executions without a sign of life for longer than `timeoutMs` as `timed-out`; not those that `isWaiting` names,
   * which wait for an answer. A result that still comes is added as an annotation.
   */
  expire(input: { now: number; timeoutMs: number; isWaiting(toolUseId: string): boolean }): ProcessedStep;
  /**
   * What to store so that `createMessageProcessor` continues exactly here: a small state, and the entries that changed since the
   * last call. Whoever stores them keeps one value per name, drops names whose value is null, and keeps the order of changes.
   */
  snapshot(): ProcessorSnapshot;
}
