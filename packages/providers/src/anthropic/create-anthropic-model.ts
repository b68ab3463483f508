import type { ReasoningEffort } from "@skein/contracts";
import type { Model, ModelRequest } from "@skein/engine";
import { defaultContextWindow, findKnownModel, type KnownModel } from "../models/known-models.ts";
import type { ModelOptions } from "../models/model-options.ts";
import { readStream } from "../streaming/read-stream.ts";
import { budgetOf } from "./thinking.ts";
import { toAnthropicEvents } from "./to-anthropic-events.ts";
import { type AnthropicThinking, toAnthropicRequest } from "./to-anthropic-request.ts";

interface AnthropicModelOptions extends ModelOptions {
  /** Default: adaptive if the model supports it, otherwise the budget of the requested effort, if any. */
  thinking?: AnthropicThinking | "off" | undefined;
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
      yield* readStream({
        open: (abort) => client.messages.create(params, { signal: abort }),
        toEvents: (chunks) => toAnthropicEvents(chunks, names),
        context: { provider: "Anthropic", modelId: id, keyName: "ANTHROPIC_API_KEY", apiKey: options.apiKey, signal },
        idleTimeoutMs: options.idleTimeoutMs,
        isOfficial,
      });
    },
  };
}

function toThinking(known: KnownModel | undefined, effort: ReasoningEffort | undefined): AnthropicThinking | undefined {
  if (known?.thinking === "adaptive") return "adaptive";
  return known?.thinking === "budget" && effort !== undefined ? { budgetTokens: budgetOf[effort] } : undefined;
}
