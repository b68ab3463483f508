import { setTimeout as delay } from "node:timers/promises";
import { ModelError, type ModelEvent, type ModelRequest } from "@skein/engine";
import type { ConversationPosition } from "./conversation-position.ts";
import { countTokens } from "./count-tokens.ts";
import { createCallId } from "./create-call-id.ts";
import type { ScriptedResponse } from "./scripted-response.ts";
import { splitIntoChunks } from "./split-into-chunks.ts";

export interface StreamResponseInput {
  response: ScriptedResponse;
  request: ModelRequest;
  position: ConversationPosition;
  pace: number;
  signal: AbortSignal;
}

/** Streams one scripted answer as a provider would. */
export async function* streamResponse({ response, request, position, pace, signal }: StreamResponseInput): AsyncGenerator<ModelEvent> {
  const calls = (response.toolCalls ?? []).map((call, index) => ({
    id: createCallId(position, index),
    name: call.name,
    arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
  }));
  signal.throwIfAborted();
  await wait((response.startDelayMs ?? 0) * pace, signal);
  let index = 0;
  let chunkNumber = 0;
  for (const [type, text] of [
    ["reasoning-delta", response.reasoning ?? ""],
    ["text-delta", response.text ?? ""],
  ] as const) {
    if (text === "") continue;
    for (const chunk of splitIntoChunks(text)) {
      await wait((response.chunkDelayMs ?? 12 + ((chunkNumber++ * 5) % 14)) * pace, signal);
      yield { type, index, text: chunk };
    }
    if (type === "reasoning-delta") yield { type: "reasoning-end", index };
    index++;
  }
  for (const call of calls) {
    signal.throwIfAborted();
    yield { type: "tool-call", index: index++, ...call };
  }
  const { error } = response;
  if (error !== undefined) throw new ModelError(error.kind, error.message, { retryAfterMs: error.retryAfterMs });
  const said = (response.text ?? "") + calls.map((call) => call.name + call.arguments).join("");
  const reasoningTokens = countTokens(response.reasoning ?? "");
  yield {
    type: "end",
    stopReason: calls.length > 0 ? "tool-calls" : "end",
    usage: {
      inputTokens: countTokens(JSON.stringify(request.messages)),
      outputTokens: countTokens(said) + reasoningTokens,
      ...(reasoningTokens > 0 ? { reasoningTokens } : {}),
      costUsd: response.costUsd ?? 0,
    },
  };
}

/** Rejects with the signal's reason, as the Model port requires. */
async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (milliseconds <= 0) return;
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
