import type { Model, ModelRequest } from "@skein/engine";
import { withCost } from "../models/cost-of.ts";
import { findKnownModel } from "../models/known-models.ts";
import { endWithCost } from "../streaming/end-with-cost.ts";
import { defaultIdleTimeoutMs, readStream } from "../streaming/read-stream.ts";
import { toGeminiEvents } from "./to-gemini-events.ts";
import { toGeminiRequest } from "./to-gemini-request.ts";

export interface GeminiModelOptions {
  model: string;
  apiKey: string;
  baseUrl?: string | undefined;
  contextWindow?: number | undefined;
  idleTimeoutMs?: number | undefined;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

/** Context window of every Gemini model since 1.5. */
const geminiContextWindow = 1_048_576;

export function createGeminiModel(options: GeminiModelOptions): Model {
  const id = `gemini/${options.model}`;
  const isOfficial = options.baseUrl === undefined;
  return {
    id,
    contextWindow: options.contextWindow ?? findKnownModel(id)?.contextWindow ?? geminiContextWindow,
    async *stream(request: ModelRequest, { signal }) {
      signal.throwIfAborted();
      const { params, names } = toGeminiRequest({
        messages: request.messages,
        tools: request.tools,
        model: options.model,
        modelId: id,
        maxTokens: request.maxOutputTokens,
        effort: request.reasoningEffort,
      });
      const { GoogleGenAI } = await import("@google/genai");
      const client = new GoogleGenAI({
        apiKey: options.apiKey,
        vertexai: false,
        httpOptions: {
          retryOptions: { attempts: 1 },
          ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
          ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
        },
      });
      const events = readStream({
        open: (abort) => client.models.generateContentStream({ ...params, config: { ...params.config, abortSignal: abort } }),
        toEvents: (chunks) => toGeminiEvents(chunks, { names, modelId: id }),
        context: { provider: "Gemini", modelId: id, keyName: "GEMINI_API_KEY", apiKey: options.apiKey, signal },
        idleTimeoutMs: options.idleTimeoutMs ?? defaultIdleTimeoutMs,
      });
      yield* endWithCost(events, (usage) => withCost(usage, id, { isOfficial }));
    },
  };
}
