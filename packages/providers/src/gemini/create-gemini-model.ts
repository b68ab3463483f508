import type { Model, ModelRequest } from "@skein/engine";
import { findKnownModel } from "../models/known-models.ts";
import type { ModelOptions } from "../models/model-options.ts";
import { readStream } from "../streaming/read-stream.ts";
import { toGeminiEvents } from "./to-gemini-events.ts";
import { toGeminiRequest } from "./to-gemini-request.ts";

/** Context window of every Gemini model since 1.5. */
const geminiContextWindow = 1_048_576;

export function createGeminiModel(options: ModelOptions): Model {
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
      yield* readStream({
        open: (abort) => client.models.generateContentStream({ ...params, config: { ...params.config, abortSignal: abort } }),
        toEvents: (chunks) => toGeminiEvents(chunks, { names, modelId: id }),
        context: { provider: "Gemini", modelId: id, keyName: "GEMINI_API_KEY", apiKey: options.apiKey, signal },
        idleTimeoutMs: options.idleTimeoutMs,
        isOfficial,
      });
    },
  };
}
