import type { Model, ModelRequest } from "@skein/engine";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { defaultContextWindow, findKnownModel, reasonsByName } from "../models/known-models.ts";
import type { ModelOptions } from "../models/model-options.ts";
import { readStream } from "../streaming/read-stream.ts";
import { toResponsesEvents } from "./to-responses-events.ts";
import { toOpenAIResponsesRequest } from "./to-responses-request.ts";

export function createOpenAIResponsesModel(options: ModelOptions): Model {
  const id = `openai/${options.model}`;
  const known = findKnownModel(id);
  const isOfficial = options.baseUrl === undefined;
  let summarizes = true;
  return {
    id,
    contextWindow: options.contextWindow ?? known?.contextWindow ?? defaultContextWindow,
    async *stream(request: ModelRequest, { signal }) {
      signal.throwIfAborted();
      const { params, names } = toOpenAIResponsesRequest({
        messages: request.messages,
        tools: request.tools,
        model: options.model,
        modelId: id,
        maxTokens: request.maxOutputTokens,
        reasons: reasonsByName(options.model),
        effort: request.reasoningEffort,
      });
      const { OpenAI } = await import("openai");
      const client = new OpenAI({
        apiKey: options.apiKey,
        baseURL: options.baseUrl ?? null,
        maxRetries: 0,
        ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
      });
      yield* readStream({
        open: async (abort) => {
          if (!summarizes) return client.responses.create(withoutSummary(params), { signal: abort });
          return client.responses.create(params, { signal: abort }).catch((error: unknown) => {
            if (!isSummaryRefused(error)) throw error;
            summarizes = false;
            return client.responses.create(withoutSummary(params), { signal: abort });
          });
        },
        toEvents: (chunks) => toResponsesEvents(chunks, { names, modelId: id }),
        context: { provider: "OpenAI", modelId: id, keyName: "OPENAI_API_KEY", apiKey: options.apiKey, signal },
        idleTimeoutMs: options.idleTimeoutMs,
        isOfficial,
      });
    },
  };
}

/** OpenAI shows reasoning summaries only to verified organizations; others get answers without them. */
function isSummaryRefused(error: unknown): boolean {
  return typeof error === "object" && error !== null && "param" in error && error.param === "reasoning.summary";
}

function withoutSummary({ reasoning, ...params }: ResponseCreateParamsStreaming): ResponseCreateParamsStreaming {
  return { ...params, ...(reasoning?.effort === undefined ? {} : { reasoning: { effort: reasoning.effort } }) };
}
