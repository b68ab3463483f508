import type { Usage } from "@skein/contracts";
import type { ModelEvent } from "@skein/engine";
import { type FollowingItem, type NameMap, toCallData, toReasoningData } from "@skein/engine/formats";
import type {
  Response,
  ResponseOutputItem,
  ResponseReasoningItem,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses";
import { BlockNumbers } from "../streaming/blocks.ts";
import { PendingCalls } from "../streaming/pending-calls.ts";

export interface ResponsesEventOptions {
  names: NameMap;
  modelId: string;
}

type StopReason = Extract<ModelEvent, { type: "end" }>["stopReason"];

/** Ends without an `end` event when the stream breaks off before the response's own end. */
export async function* toResponsesEvents(
  stream: AsyncIterable<ResponseStreamEvent>,
  options: ResponsesEventOptions,
): AsyncGenerator<ModelEvent> {
  const reading = new ResponseReading(options);
  for await (const event of stream) {
    yield* reading.read(event);
    if (reading.isOver) return;
  }
}

class ResponseReading {
  readonly #options: ResponsesEventOptions;
  readonly #numbers = new BlockNumbers();
  readonly #calls = new PendingCalls();
  /** Complete but not reported yet: it belongs to the item that follows. */
  #waiting: { item: ResponseReasoningItem; index: number }[] = [];
  readonly #reasoningIds: string[] = [];
  #hasCalls = false;
  #refused = false;
  isOver = false;

  constructor(options: ResponsesEventOptions) {
    this.#options = options;
  }

  *read(event: ResponseStreamEvent): Generator<ModelEvent> {
    switch (event.type) {
      case "response.output_item.added":
        this.#number(event.output_index);
        yield* this.#follow(event.item);
        break;
      case "response.output_text.delta":
        yield { type: "text-delta", index: this.#number(event.output_index), text: event.delta };
        break;
      case "response.refusal.delta":
        this.#refused = true;
        yield { type: "text-delta", index: this.#number(event.output_index), text: event.delta };
        break;
      case "response.reasoning_summary_part.added":
        // Summaries arrive in parts, one paragraph each.
        if (event.summary_index > 0) yield { type: "reasoning-delta", index: this.#number(event.output_index), text: "\n\n" };
        break;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        yield { type: "reasoning-delta", index: this.#number(event.output_index), text: event.delta };
        break;
      case "response.output_item.done":
        yield* this.#finish(event.item, this.#number(event.output_index));
        break;
      case "response.completed":
      case "response.incomplete":
        yield* this.#end(event.response);
        break;
      case "response.failed": {
        const { code, message } = event.response.error ?? { code: "server_error", message: "The response failed." };
        throw toStreamError(code, message);
      }
      case "error":
        throw toStreamError(event.code ?? "server_error", event.message);
    }
  }

  #number(outputIndex: number): number {
    return this.#numbers.of(String(outputIndex));
  }

  *#follow(item: ResponseOutputItem): Generator<ModelEvent> {
    if (item.type === "message") {
      const phase = item.phase ?? undefined;
      yield* this.#emitReasoning({ type: "message", id: item.id, ...(phase === undefined ? {} : { phase }) });
    } else if (item.type === "function_call" && item.id !== undefined) yield* this.#emitReasoning({ type: "function_call", id: item.id });
  }

  *#finish(item: ResponseOutputItem, index: number): Generator<ModelEvent> {
    if (item.type === "reasoning") {
      this.#waiting.push({ item, index });
      this.#reasoningIds.push(item.id);
    } else if (item.type === "function_call") {
      this.#hasCalls = true;
      const data =
        item.id === undefined ? undefined : toCallData({ itemId: item.id, after: [...this.#reasoningIds] }, this.#options.modelId);
      const name = this.#options.names.toOriginal(item.name);
      const extra = data === undefined ? {} : { providerData: data };
      yield* this.#calls.add({ type: "tool-call", index, id: item.call_id, name, arguments: item.arguments, ...extra });
    }
  }

  *#emitReasoning(next: FollowingItem | undefined): Generator<ModelEvent> {
    for (const { item, index } of this.#waiting) {
      const encryptedContent = item.encrypted_content ?? "";
      const data = encryptedContent === "" ? {} : { providerData: toReasoningData({ id: item.id, encryptedContent, next }) };
      yield { type: "reasoning-end", index, ...data };
    }
    this.#waiting = [];
  }

  *#end(response: Response): Generator<ModelEvent> {
    yield* this.#emitReasoning(undefined);
    const stopReason = this.#toStopReason(response);
    yield* this.#calls.end(stopReason);
    this.isOver = true;
    yield { type: "end", stopReason, usage: toUsage(response.usage) };
  }

  #toStopReason(response: Response): StopReason {
    const reason = response.incomplete_details?.reason;
    if (this.#refused || reason === "content_filter") return "refusal";
    if (reason === "max_output_tokens") return "length";
    return this.#hasCalls ? "tool-calls" : "end";
  }
}

/** In the shape of an HTTP error, so that one function classifies both. */
function toStreamError(code: string, message: string): Error {
  return Object.assign(new Error(message), { error: { code, message } });
}

function toUsage(usage: ResponseUsage | null | undefined): Usage {
  if (usage === null || usage === undefined) return {};
  const { cached_tokens: read, cache_write_tokens: written } = usage.input_tokens_details ?? {};
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    ...(typeof reasoning === "number" ? { reasoningTokens: reasoning } : {}),
    ...(typeof read === "number" ? { cacheReadTokens: read } : {}),
    ...(typeof written === "number" ? { cacheWriteTokens: written } : {}),
  };
}
