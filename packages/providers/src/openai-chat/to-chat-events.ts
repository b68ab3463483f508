import type { Usage } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";
import type { NameMap } from "@skein/engine/formats";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { CompletionUsage } from "openai/resources/completions";
import { BlockNumbers } from "../streaming/blocks.ts";
import { PendingCalls } from "../streaming/pending-calls.ts";

type Delta = ChatCompletionChunk.Choice.Delta & {
  /** DeepSeek, vLLM, LM Studio. */
  reasoning_content?: string | null;
  /** OpenRouter, Ollama. */
  reasoning?: string | null;
};
type FinishReason = ChatCompletionChunk.Choice["finish_reason"];

interface OpenCall {
  number: number;
  id: string;
  name: string;
  json: string;
}

/**
 * Complete after a finish reason; the usage that follows may be missing. Calls are reported only then, because only the end shows that
 * their arguments are complete.
 */
export async function* toChatEvents(stream: AsyncIterable<ChatCompletionChunk>, names: NameMap): AsyncGenerator<ModelEvent> {
  const numbers = new BlockNumbers();
  const open = new Map<number, OpenCall>();
  let finish: NonNullable<FinishReason> | undefined;
  let refused = false;
  let usage: Usage = {};
  let broken: unknown;
  try {
    for await (const chunk of stream) {
      if (chunk.usage !== undefined && chunk.usage !== null) usage = toUsage(chunk.usage);
      const choice = chunk.choices?.[0];
      if (choice === undefined) continue;
      const delta: Delta = choice.delta ?? {};
      const reasoning = delta.reasoning_content ?? delta.reasoning ?? "";
      if (reasoning !== "") yield { type: "reasoning-delta", index: numbers.of("reasoning"), text: reasoning };
      if ((delta.refusal ?? "") !== "") refused = true;
      const text = `${delta.content ?? ""}${delta.refusal ?? ""}`;
      if (text !== "") yield { type: "text-delta", index: numbers.of("text"), text };
      for (const part of delta.tool_calls ?? []) addFragment(open, part, numbers);
      if (choice.finish_reason !== null && choice.finish_reason !== undefined) finish = choice.finish_reason;
    }
  } catch (error) {
    // The answer is complete without what follows its finish reason.
    if (finish === undefined) throw error;
    broken = error;
  }
  if (finish === undefined) return;
  const stopReason = toStopReason(finish, { refused, calls: open.size });
  const calls = new PendingCalls();
  for (const { number, id, name, json } of open.values()) {
    yield* calls.add({ type: "tool-call", index: number, id, name: names.toOriginal(name), arguments: json });
  }
  yield* calls.end(stopReason);
  yield { type: "end", stopReason, usage: broken === undefined ? usage : {} };
}

/** Some servers omit the index and send a call as a whole, or give every call the index 0 and its own id. */
function addFragment(open: Map<number, OpenCall>, part: ChatCompletionChunk.Choice.Delta.ToolCall, numbers: BlockNumbers): void {
  const at = part.index ?? open.size;
  const known = open.get(at);
  const id = part.id ?? "";
  const startsAnother = known !== undefined && id !== "" && known.id !== "" && id !== known.id;
  const key = startsAnother ? findKey(open, id) : at;
  const call = open.get(key);
  if (call === undefined) {
    const number = numbers.of(`call ${key}`);
    open.set(key, { number, id, name: part.function?.name ?? "", json: part.function?.arguments ?? "" });
    return;
  }
  if (call.id === "") call.id = id;
  // Names arrive as a whole; a few servers repeat them with every fragment.
  if (call.name === "") call.name = part.function?.name ?? "";
  call.json += part.function?.arguments ?? "";
}

function findKey(open: Map<number, OpenCall>, id: string): number {
  for (const [key, call] of open) if (call.id === id) return key;
  return Math.max(...open.keys()) + 1;
}

function toStopReason(
  finish: NonNullable<FinishReason>,
  seen: { refused: boolean; calls: number },
): Extract<ModelEvent, { type: "end" }>["stopReason"] {
  if (seen.refused || finish === "content_filter") return "refusal";
  if (finish === "length") return "length";
  return seen.calls > 0 ? "tool-calls" : "end";
}

function toUsage(usage: CompletionUsage): Usage {
  const read = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    ...(typeof usage.prompt_tokens === "number" ? { inputTokens: usage.prompt_tokens } : {}),
    ...(typeof usage.completion_tokens === "number" ? { outputTokens: usage.completion_tokens } : {}),
    ...(typeof reasoning === "number" ? { reasoningTokens: reasoning } : {}),
    ...(typeof read === "number" ? { cacheReadTokens: read } : {}),
  };
}
