import type { CompressionSummary, MessageBody, MessageEntity } from "@skein/contracts";
import { addUsage } from "@skein/engine";
import type { SteeringMessage } from "./native-control.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { type StreamedMessage, streamAssistantMessage } from "./stream-assistant-message.ts";
import type { BuildRequest, Turn } from "./turn.ts";

export interface Conversation {
  systemPrompts: readonly string[];
  /** Ends with the message that the model answers; grows. */
  messages: MessageEntity[];
  summary: CompressionSummary | null;
  buildRequest: BuildRequest;
  cycles: number;
  /** Messages that the user has sent in the meantime. */
  takeSteering?(): SteeringMessage[];
  /** Expands what the user typed for the model. */
  expandMessage?(text: string): Promise<string>;
}

export type ConversationEnd = { type: "answered"; message: StreamedMessage } | { type: "step-limit" } | { type: "cost-limit" };

/**
 * Alternates between model and tools until the model calls no more tools and the user has sent no more messages. Throws what the model
 * throws, and the signal's reason if it is aborted.
 */
export async function runConversation(turn: Turn, conversation: Conversation): Promise<ConversationEnd> {
  const { messages, systemPrompts, summary, buildRequest } = conversation;
  for (let cycle = 1; cycle <= conversation.cycles; cycle++) {
    turn.signal.throwIfAborted();
    if ((turn.spent.usage.costUsd ?? 0) >= turn.limits.costUsd) return { type: "cost-limit" };
    const message = await streamAssistantMessage(turn, buildRequest({ systemPrompts, messages, summary }));
    turn.spent.usage = addUsage(turn.spent.usage, message.usage);
    messages.push({ id: message.id, body: message.body });
    // Calls of a refused answer are not run.
    if (message.stopReason === "refusal") return { type: "answered", message };
    const results = await runToolCalls(turn, message.calls);
    // One message per result, under its stored id: the next execution's request begins with the same bytes, and a summary made now refers
    // to ids that the next one finds.
    for (const [number, result] of results.entries()) {
      messages.push({ id: `${message.id}-r${number}`, body: { role: "tool", content: [result] } });
    }
    const said = turn.signal.aborted ? [] : (conversation.takeSteering?.() ?? []);
    for (const one of said) messages.push({ id: one.id, body: await takeIn(turn, conversation, one) });
    if (message.calls.length === 0 && said.length === 0) return { type: "answered", message };
  }
  turn.signal.throwIfAborted();
  return { type: "step-limit" };
}

/** It is shown and stored as typed. */
async function takeIn(turn: Turn, { expandMessage }: Conversation, { id, text: typed, images }: SteeringMessage): Promise<MessageBody> {
  turn.emit({ type: "user-message", messageId: id, text: typed, ...(images.length === 0 ? {} : { images }), at: turn.now() });
  const text = (await expandMessage?.(typed)) ?? typed;
  return { role: "user", content: images.length === 0 ? text : [{ type: "text", text }, ...images] };
}
