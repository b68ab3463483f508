import type { Model, ModelRequest } from "@skein/engine";
import { withCost } from "../models/cost-of.ts";
import { defaultContextWindow, findKnownModel } from "../models/known-models.ts";
import { endWithCost } from "../streaming/end-with-cost.ts";
import { defaultIdleTimeoutMs, readStream } from "../streaming/read-stream.ts";
import { toAnthropicEvents } from "./to-anthropic-events.ts";
import { type AnthropicThinking, toAnthropicRequest } from "./to-anthropic-request.ts";

export interface AnthropicModelOptions {
  model: string;
  apiKey: string;
  baseUrl?: string | undefined;
  /** Left out: adaptive where the model can, otherwise none. */
  thinking?: AnthropicThinking | "off" | undefined;
  contextWindow?: number | undefined;
  idleTimeoutMs?: number | undefined;
}

/** A long answer with its thoughts fits; the model's own limit where that is lower. */
const defaultMaxTokens = 64_000;
const unknownModelMaxTokens = 32_000;

export function createAnthropicModel(options: AnthropicModelOptions): Model {
  const id = `anthropic/${options.model}`;
  const known = findKnownModel(id);
  const isOfficial = options.baseUrl === undefined;
  return {
    id,
    contextWindow: options.contextWindow ?? known?.contextWindow ?? defaultContextWindow,
    async *stream(request: ModelRequest, { signal }) {
      signal.throwIfAborted();
      const { params, names } = toAnthropicRequest({
        messages: request.messages,
        tools: request.tools,
        model: options.model,
        modelId: id,
        maxTokens: request.maxOutputTokens ?? Math.min(known?.outputLimit ?? unknownModelMaxTokens, defaultMaxTokens),
        thinking: options.thinking === "off" ? undefined : (options.thinking ?? (known?.thinking === "adaptive" ? "adaptive" : undefined)),
      });
      const { Anthropic } = await import("@anthropic-ai/sdk");
      const client = new Anthropic({ apiKey: options.apiKey, authToken: null, baseURL: options.baseUrl ?? null, maxRetries: 0 });
      const events = readStream({
        open: (abort) => client.messages.create(params, { signal: abort }),
        toEvents: (chunks) => toAnthropicEvents(chunks, names),
        context: { provider: "Anthropic", modelId: id, keyName: "ANTHROPIC_API_KEY", apiKey: options.apiKey, signal },
        idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
      });
      yield* endWithCost(events, (usage) => withCost(usage, id, { isOfficial }));
    },
  };
}
