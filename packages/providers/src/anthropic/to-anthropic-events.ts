import type { RawMessageStreamEvent, StopReason, Usage as WireUsage } from "@anthropic-ai/sdk/resources/messages";
import type { Usage } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";
import { type NameMap, toRedactedData } from "@skein/engine/formats";
import { BlockNumbers } from "../streaming/blocks.ts";
import { PendingCalls } from "../streaming/pending-calls.ts";

type OpenBlock = { type: "text" } | { type: "thinking"; signature: string } | { type: "call"; id: string; name: string; json: string };
type TokenCounts = Partial<
  Pick<WireUsage, "input_tokens" | "output_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens">
> & {
  output_tokens_details?: WireUsage["output_tokens_details"] | null;
};

/** Ends without an `end` event when the stream breaks off before `message_stop`. */
export async function* toAnthropicEvents(stream: AsyncIterable<RawMessageStreamEvent>, names: NameMap): AsyncGenerator<ModelEvent> {
  const numbers = new BlockNumbers();
  const open = new Map<number, OpenBlock>();
  const calls = new PendingCalls();
  let counts: TokenCounts = {};
  let stopReason: StopReason | null = null;
  for await (const event of stream) {
    switch (event.type) {
      case "message_start":
        counts = merge(counts, event.message.usage);
        break;
      case "content_block_start": {
        const block = event.content_block;
        const index = numbers.of(String(event.index));
        if (block.type === "text") {
          open.set(event.index, { type: "text" });
          if (block.text !== "") yield { type: "text-delta", index, text: block.text };
        } else if (block.type === "thinking") {
          open.set(event.index, { type: "thinking", signature: block.signature ?? "" });
          if (block.thinking !== "") yield { type: "reasoning-delta", index, text: block.thinking };
        } else if (block.type === "redacted_thinking") {
          yield { type: "reasoning-end", index, providerData: toRedactedData(block.data) };
        } else if (block.type === "tool_use") {
          open.set(event.index, { type: "call", id: block.id, name: names.toOriginal(block.name), json: "" });
        }
        break;
      }
      case "content_block_delta": {
        const block = open.get(event.index);
        const index = numbers.of(String(event.index));
        const { delta } = event;
        if (delta.type === "text_delta") yield { type: "text-delta", index, text: delta.text };
        else if (delta.type === "thinking_delta") yield { type: "reasoning-delta", index, text: delta.thinking };
        else if (delta.type === "signature_delta" && block?.type === "thinking") block.signature += delta.signature;
        else if (delta.type === "input_json_delta" && block?.type === "call") block.json += delta.partial_json;
        break;
      }
      case "content_block_stop": {
        const block = open.get(event.index);
        const index = numbers.of(String(event.index));
        open.delete(event.index);
        if (block?.type === "thinking") {
          yield { type: "reasoning-end", index, ...(block.signature === "" ? {} : { signature: block.signature }) };
        } else if (block?.type === "call") {
          yield* calls.add({ type: "tool-call", index, id: block.id, name: block.name, arguments: block.json });
        }
        break;
      }
      case "message_delta":
        stopReason = event.delta.stop_reason;
        counts = merge(counts, event.usage);
        break;
      case "message_stop": {
        const reason = toStopReason(stopReason);
        yield* calls.end(reason);
        yield { type: "end", stopReason: reason, usage: toUsage(counts) };
        return;
      }
    }
  }
}

function toStopReason(reason: StopReason | null): Extract<ModelEvent, { type: "end" }>["stopReason"] {
  switch (reason) {
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    default:
      return "end";
  }
}

/** `message_delta` repeats totals; a field that is missing or null keeps its value. */
function merge(counts: TokenCounts, more: object | undefined): TokenCounts {
  return { ...counts, ...Object.fromEntries(Object.entries(more ?? {}).filter(([, value]) => value !== null && value !== undefined)) };
}

/** Anthropic reports cached input separately; `inputTokens` here includes it. */
function toUsage(counts: TokenCounts): Usage {
  const read = counts.cache_read_input_tokens;
  const written = counts.cache_creation_input_tokens;
  const reasoning = counts.output_tokens_details?.thinking_tokens;
  return {
    ...(counts.input_tokens === undefined ? {} : { inputTokens: counts.input_tokens + (read ?? 0) + (written ?? 0) }),
    ...(counts.output_tokens === undefined ? {} : { outputTokens: counts.output_tokens }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(typeof read === "number" ? { cacheReadTokens: read } : {}),
    ...(typeof written === "number" ? { cacheWriteTokens: written } : {}),
  };
}
