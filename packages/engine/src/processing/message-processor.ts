import type { AgentOutput, ConversationMessage, MessageBody, MessageId, Usage } from "@skein/contracts";
import type { ProcessorSnapshot } from "./processor-state.ts";

/** A protocol message from the processor; the server adds attempt and execution. */
export interface MessageDraft {
  id: MessageId;
  /** Order within the execution. The user's own message is 0. */
  position: number;
  body: MessageBody;
  model?: string;
  usage?: Usage;
  createdAt: number;
}

/** The changes of one output. Both lists are upserts by id; a conversation message has a higher revision each time. */
export interface ProcessedStep {
  conversation: ConversationMessage[];
  messages: MessageDraft[];
}

/**
 * Converts the outputs of ONE execution into what is stored and shown. Deterministic: the same outputs give the same ids, revisions and
 * times, so a log that is read again after a crash continues what a client has already seen.
 */
export interface MessageProcessor {
  apply(output: AgentOutput): ProcessedStep;
  /** Ends the execution: closes texts, and ends every open tool execution as `interrupted`. */
  settle(input: { at: number; reason: string }): ProcessedStep;
  /**
   * Ends tool executions without output for longer than `timeoutMs` as `timed-out`, except for those that `isWaiting` names, which wait
   * for an answer. A later result is added as an annotation.
   */
  expire(input: { now: number; timeoutMs: number; isWaiting(toolUseId: string): boolean }): ProcessedStep;
  /**
   * What to store so that `createMessageProcessor` continues exactly here: a small state, and the entries that changed since the last
   * call. Keep one value per name, drop names whose value is null, and keep the order of changes.
   */
  snapshot(): ProcessorSnapshot;
}
