import type { AgentOutput, ConversationMessage, ExecutionId, JsonValue, MessageId } from "@skein/contracts";
import { createMessageProcessor } from "./create-message-processor.ts";
import type { MessageDraft, MessageProcessor, ProcessedStep } from "./message-processor.ts";

export const executionId = "exe_1" as ExecutionId;

type Output<Type extends AgentOutput["type"]> = Extract<AgentOutput, { type: Type }>;

export function text(messageId: string, index: number, content: string, more: Partial<Output<"text">> = {}): AgentOutput {
  return { type: "text", mode: "whole", messageId: messageId as MessageId, index, text: content, at: 1000, ...more };
}

export function delta(messageId: string, index: number, content: string): AgentOutput {
  return text(messageId, index, content, { mode: "delta" });
}

export function thinking(messageId: string, index: number, content: string, more: Partial<Output<"thinking">> = {}): AgentOutput {
  return { type: "thinking", mode: "whole", messageId: messageId as MessageId, index, text: content, at: 1000, ...more };
}

export function use(messageId: string, index: number, toolUseId: string | undefined, more: Partial<Output<"tool-use">> = {}): AgentOutput {
  return {
    type: "tool-use",
    messageId: messageId as MessageId,
    index,
    ...(toolUseId === undefined ? {} : { toolUseId }),
    toolName: "probe",
    input: { n: index } as JsonValue,
    at: 1000,
    ...more,
  };
}

export function result(resultId: string, toolUseId: string | undefined, more: Partial<Output<"tool-result">> = {}): AgentOutput {
  return {
    type: "tool-result",
    resultId: resultId as MessageId,
    ...(toolUseId === undefined ? {} : { toolUseId }),
    output: `output of ${resultId}`,
    isError: false,
    at: 1500,
    ...more,
  };
}

export function progress(toolUseId: string, content: string): AgentOutput {
  return { type: "tool-progress", toolUseId, text: content, at: 1200 };
}

export function messageEnd(messageId: string, more: Partial<Output<"message-end">> = {}): AgentOutput {
  return { type: "message-end", messageId: messageId as MessageId, at: 1600, ...more };
}

export function retry(messageId: string, more: Partial<Output<"retry">> = {}): AgentOutput {
  return { type: "retry", messageId: messageId as MessageId, attempt: 1, delayMs: 0, reason: "overloaded", at: 1700, ...more };
}

/** A processor with the state of a client and the store after its steps. */
export interface Recording {
  processor: MessageProcessor;
  steps: ProcessedStep[];
  play(...outputs: AgentOutput[]): ProcessedStep;
  keep(step: ProcessedStep): ProcessedStep;
  /** What is shown, in order. Throws if a revision did not increase. */
  shown(): ConversationMessage[];
  stored(): MessageDraft[];
}

export function record(): Recording {
  const processor = createMessageProcessor({ executionId });
  const shown = new Map<string, ConversationMessage>();
  const stored = new Map<string, MessageDraft>();
  const steps: ProcessedStep[] = [];
  const keep = (step: ProcessedStep): ProcessedStep => {
    steps.push(step);
    for (const message of step.conversation) {
      const known = shown.get(message.id);
      if (message.revision !== (known?.revision ?? 0) + 1)
        throw new Error(`${message.id}: revision ${known?.revision} → ${message.revision}`);
      shown.set(message.id, message);
    }
    for (const draft of step.messages) stored.set(draft.id, draft);
    return step;
  };
  return {
    processor,
    steps,
    play(...outputs) {
      const all = outputs.map((output) => keep(processor.apply(output)));
      return { conversation: all.flatMap((step) => step.conversation), messages: all.flatMap((step) => step.messages) };
    },
    keep,
    shown() {
      const replaced = new Set(
        [...shown.values()].flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])),
      );
      return [...shown.values()].filter((message) => !replaced.has(message.id));
    },
    stored: () => [...stored.values()].sort((a, b) => a.position - b.position),
  };
}
