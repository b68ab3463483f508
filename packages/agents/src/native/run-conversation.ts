import type { CompressionSummary, MessageBody, MessageEntity } from "@skein/contracts";
import { addUsage } from "@skein/engine";
import type { SteeringMessage } from "./native-control.ts";
import { runToolCalls } from "./run-tool-calls.ts";
import { type StreamedMessage, streamAssistantMessage } from "./stream-assistant-message.ts";
import type { BuildRequest, Turn } from "./turn.ts";

export interface Conversation {
  systemPrompts: readonly string[];
  /** Ends with what the model is to answer; grows. */
  messages: MessageEntity[];
  summary: CompressionSummary | null;
  buildRequest: BuildRequest;
  cycles: number;
  /** What the user has said meanwhile. */
  takeSteering?(): SteeringMessage[];
  /** What the model is given of what the user typed. */
  expandMessage?(text: string): Promise<string>;
}

export type ConversationEnd = { type: "answered"; message: StreamedMessage } | { type: "step-limit" } | { type: "cost-limit" };

/**
 * Model, tools, model, tools … until the model asks for no more and the user has said no more. Throws what the model
 * throws, and the signal's reason when it is aborted.
 */
export async function runConversation(turn: Turn, conversation: Conversation): Promise<ConversationEnd> {
  const { messages, systemPrompts, summary, buildRequest } = conversation;
  for (let cycle = 1; cycle <= conversation.cycles; cycle++) {
    turn.signal.throwIfAborted();
    if ((turn.spent.usage.costUsd ?? 0) >= turn.limits.costUsd) return { type: "cost-limit" };
    const message = await streamAssistantMessage(turn, buildRequest({ systemPrompts, messages, summary }));
    turn.spent.usage = addUsage(turn.spent.usage, message.usage);
    messages.push({ id: message.id, body: message.body });
    // What a refused answer wanted to do is not done.
    if (message.stopReason === "refusal") return { type: "answered", message };
    const results = await runToolCalls(turn, message.calls);
    // One message per result, under the id that it is stored with: the next execution's request begins with the same bytes as
    // this one's, and a summary that is made now names what the next one finds.
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

/** It is shown and stored as it was typed. */
async function takeIn(turn: Turn, { expandMessage }: Conversation, { id, text: typed, images }: SteeringMessage): Promise<MessageBody> {
  turn.emit({ type: "user-message", messageId: id, text: typed, ...(images.length === 0 ? {} : { images }), at: turn.now() });
  const text = (await expandMessage?.(typed)) ?? typed;
  return { role: "user", content: images.length === 0 ? text : [{ type: "text", text }, ...images] };
}
