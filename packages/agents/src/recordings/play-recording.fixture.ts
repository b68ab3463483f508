import {
  type AgentOutput,
  agentOutputSchema,
  type ConversationMessage,
  conversationMessageSchema,
  type ExecutionId,
  type JsonValue,
} from "@skein/contracts";
import { type AgentDecoder, createMessageProcessor, type LogLine, type MessageDraft, type ProcessedStep } from "@skein/engine";

export const executionId = "exe_r1" as ExecutionId;

export type CreateDecoder = (options: { executionId: ExecutionId; snapshot?: JsonValue }) => AgentDecoder;

/** The state of a client and the store after the lines of one execution, and the decoder's outputs. */
export interface Played {
  outputs: AgentOutput[];
  conversation: ConversationMessage[];
  messages: MessageDraft[];
  /** The largest snapshots of decoder and processor, in characters. */
  decoderSize: number;
}

/** Decodes and processes; with `restartAfter`, both are stopped after that many lines and continue from their snapshots. */
export function playLines(lines: readonly LogLine[], createDecoder: CreateDecoder, restartAfter = -1): Played {
  let decoder = createDecoder({ executionId });
  let processor = createMessageProcessor({ executionId });
  const outputs: AgentOutput[] = [];
  const conversation = new Map<string, ConversationMessage>();
  const messages = new Map<string, MessageDraft>();
  let decoderSize = 0;
  const keep = (step: ProcessedStep): void => {
    for (const message of step.conversation) conversation.set(message.id, conversationMessageSchema.parse(message));
    for (const draft of step.messages) messages.set(draft.id, draft);
  };
  for (const [number, line] of lines.entries()) {
    if (number === restartAfter) {
      decoder = createDecoder({ executionId, snapshot: throughJson(decoder.snapshot()) });
      processor = createMessageProcessor({ executionId, snapshot: throughJson(processor.snapshot()) });
    }
    for (const output of decoder.decode(line)) {
      outputs.push(agentOutputSchema.parse(output));
      keep(processor.apply(output));
    }
    decoderSize = Math.max(decoderSize, JSON.stringify(decoder.snapshot()).length);
  }
  keep(processor.settle({ at: (lines.at(-1)?.at ?? 0) + 1000, reason: "" }));
  const replaced = new Set(
    [...conversation.values()].flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])),
  );
  return {
    outputs,
    conversation: [...conversation.values()].filter((message) => !replaced.has(message.id)),
    messages: [...messages.values()].toSorted((a, b) => a.position - b.position),
    decoderSize,
  };
}

function throughJson<Snapshot>(snapshot: Snapshot): Snapshot {
  return JSON.parse(JSON.stringify(snapshot)) as Snapshot;
}
