import type { ReasoningEffort } from "@skein/contracts";
import type { Model, ModelRequest } from "@skein/engine";
import { withCost } from "../models/cost-of.ts";
import { defaultContextWindow, findKnownModel, type KnownModel } from "../models/known-models.ts";
import { endWithCost } from "../streaming/end-with-cost.ts";
import { defaultIdleTimeoutMs, readStream } from "../streaming/read-stream.ts";
import { budgetOf } from "./thinking.ts";
import { toAnthropicEvents } from "./to-anthropic-events.ts";
import { type AnthropicThinking, toAnthropicRequest } from "./to-anthropic-request.ts";

export interface AnthropicModelOptions {
  model: string;
  apiKey: string;
  baseUrl?: string | undefined;
  /** Default: adaptive if the model supports it, otherwise the budget of the requested effort, if any. */
  thinking?: AnthropicThinking | "off" | undefined;
  contextWindow?: number | undefined;
  idleTimeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Enough for a long answer with its reasoning; limited by the model's own maximum. */
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
        thinking: options.thinking === "off" ? undefined : (options.thinking ?? toThinking(known, request.reasoningEffort)),
        effort: request.reasoningEffort,
      });
      const { Anthropic } = await import("@anthropic-ai/sdk");
      const client = new Anthropic({
        apiKey: options.apiKey,
        authToken: null,
        baseURL: options.baseUrl ?? null,
        maxRetries: 0,
        ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
      });
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

function toThinking(known: KnownModel | undefined, effort: ReasoningEffort | undefined): AnthropicThinking | undefined {
  if (known?.thinking === "adaptive") return "adaptive";
  return known?.thinking === "budget" && effort !== undefined ? { budgetTokens: budgetOf[effort] } : undefined;
}
