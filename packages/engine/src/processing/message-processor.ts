import type { AgentOutput, ConversationMessage, JsonValue, MessageBody, MessageId, Usage } from "@skein/contracts";

/** A protocol message as the processor knows it; the server adds attempt and execution. */
export interface MessageDraft {
  id: MessageId;
  /** Order within the execution. The person's own message is 0. */
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
  /** Ends tool executions that have been open for longer than `timeoutMs` as `timed-out`. */
  expire(input: { now: number; timeoutMs: number }): ProcessedStep;
  /** Small and JSON: given back to `createMessageProcessor` it goes on exactly here. */
  snapshot(): JsonValue;
}
