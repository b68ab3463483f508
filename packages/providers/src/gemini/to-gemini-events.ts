import { randomUUID } from "node:crypto";
import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from "@google/genai";
import type { Usage } from "@skein/contracts";
import { ModelError, type ModelEvent } from "@skein/engine";
import type { NameMap } from "@skein/engine/formats";

export interface GeminiEventOptions {
  names: NameMap;
  modelId: string;
}

type StopReason = Extract<ModelEvent, { type: "end" }>["stopReason"];
type Kind = "thought" | "text" | "call";

const refusals = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);
const brokenCalls = new Set(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE"]);

/** Ends without an `end` event when the stream breaks off before a finish reason. */
export async function* toGeminiEvents(
  stream: AsyncIterable<GenerateContentResponse>,
  options: GeminiEventOptions,
): AsyncGenerator<ModelEvent> {
  const reading = new GeminiReading(options);
  let finish: string | undefined;
  let usage: Usage = {};
  for await (const chunk of stream) {
    if (chunk.usageMetadata !== undefined) usage = toUsage(chunk.usageMetadata);
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) yield* reading.read(part);
    finish = candidate?.finishReason ?? (chunk.promptFeedback?.blockReason === undefined ? finish : "SAFETY");
  }
  if (finish === undefined) return;
  if (brokenCalls.has(finish))
    throw new ModelError("network", `Gemini's answer broke off: the model wrote a call that cannot be read (${finish}).`);
  yield* reading.endThoughts();
  yield { type: "end", stopReason: toStopReason(finish, reading.hasCalls), usage };
}

class GeminiReading {
  readonly #options: GeminiEventOptions;
  #index = -1;
  #kind: Kind | undefined;
  #thoughts: number[] = [];
  #signature: string | undefined;
  hasCalls = false;

  constructor(options: GeminiEventOptions) {
    this.#options = options;
  }

  *read(part: Part): Generator<ModelEvent> {
    if (part.functionCall !== undefined) {
      const { id, name, args } = part.functionCall;
      this.hasCalls = true;
      const data = part.thoughtSignature === undefined ? {} : { providerData: this.#toCallData(part.thoughtSignature) };
      yield {
        type: "tool-call",
        index: this.#begin("call"),
        id: id ?? `call_${randomUUID()}`,
        name: this.#options.names.toOriginal(name ?? ""),
        arguments: JSON.stringify(args ?? {}),
        ...data,
      };
      return;
    }
    if (part.thoughtSignature !== undefined) this.#signature = part.thoughtSignature;
    if (part.text === undefined || part.text === "") return;
    if (part.thought === true) yield { type: "reasoning-delta", index: this.#begin("thought"), text: part.text };
    else yield { type: "text-delta", index: this.#begin("text"), text: part.text };
  }

  /** The signature of a text arrives with its last part; it is stored with the thoughts before the text. */
  *endThoughts(): Generator<ModelEvent> {
    const last = this.#thoughts.at(-1);
    for (const index of this.#thoughts) {
      const signed = index === last && this.#signature !== undefined ? { signature: this.#signature } : {};
      yield { type: "reasoning-end", index, ...signed };
    }
  }

  #toCallData(thoughtSignature: string) {
    return { model: this.#options.modelId, thoughtSignature };
  }

  #begin(kind: Kind): number {
    if (kind === this.#kind && kind !== "call") return this.#index;
    this.#kind = kind;
    this.#index += 1;
    if (kind === "thought") this.#thoughts.push(this.#index);
    return this.#index;
  }
}

function toStopReason(finish: string, hasCalls: boolean): StopReason {
  if (refusals.has(finish)) return "refusal";
  if (finish === "MAX_TOKENS") return "length";
  return hasCalls ? "tool-calls" : "end";
}

/** Gemini reports thoughts separately; `outputTokens` here includes them. */
function toUsage(usage: GenerateContentResponseUsageMetadata): Usage {
  const { promptTokenCount: input, candidatesTokenCount: said, thoughtsTokenCount: thought, cachedContentTokenCount: read } = usage;
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(said === undefined && thought === undefined ? {} : { outputTokens: (said ?? 0) + (thought ?? 0) }),
    ...(thought === undefined ? {} : { reasoningTokens: thought }),
    ...(read === undefined ? {} : { cacheReadTokens: read }),
  };
}
