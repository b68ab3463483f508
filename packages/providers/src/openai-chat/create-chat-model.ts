import type { Model, ModelRequest } from "@skein/engine";
import { defaultContextWindow, findKnownModel } from "../models/known-models.ts";
import type { ModelOptions } from "../models/model-options.ts";
import { readStream } from "../streaming/read-stream.ts";
import { fetchKeepingErrors } from "./fetch-keeping-errors.ts";
import { toChatEvents } from "./to-chat-events.ts";
import { type ChatDialect, toOpenAIChatRequest } from "./to-chat-request.ts";

interface OpenAIChatModelOptions extends Omit<ModelOptions, "apiKey"> {
  /** Skein's model id: `openai-chat/<model>` or `openai-chat/<endpoint>/<model>`. */
  id?: string | undefined;
  /** Not needed by local servers. */
  apiKey?: string | undefined;
  dialect?: ChatDialect | undefined;
  images?: boolean | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Display name, for messages. */
  provider?: string | undefined;
  keyName?: string | undefined;
}

export function createOpenAIChatModel(options: OpenAIChatModelOptions): Model {
  const id = options.id ?? `openai-chat/${options.model}`;
  const isOfficial = options.baseUrl === undefined;
  const known = isOfficial ? findKnownModel(id) : undefined;
  const apiKey = options.apiKey ?? "";
  return {
    id,
    contextWindow: options.contextWindow ?? known?.contextWindow ?? defaultContextWindow,
    async *stream(request: ModelRequest, { signal }) {
      signal.throwIfAborted();
      const { params, names } = toOpenAIChatRequest({
        messages: request.messages,
        tools: request.tools,
        model: options.model,
        maxTokens: request.maxOutputTokens,
        dialect: options.dialect ?? (isOfficial ? "openai" : "compatible"),
        images: options.images,
        effort: request.reasoningEffort,
      });
      const { OpenAI } = await import("openai");
      const client = new OpenAI({
        apiKey: apiKey === "" ? "none" : apiKey,
        baseURL: options.baseUrl ?? null,
        maxRetries: 0,
        fetch: options.fetch ?? fetchKeepingErrors,
        ...(options.headers === undefined ? {} : { defaultHeaders: options.headers }),
      });
      yield* readStream({
        open: (abort) => client.chat.completions.create(params, { signal: abort }),
        toEvents: (chunks) => toChatEvents(chunks, names),
        context: {
          provider: options.provider ?? "OpenAI",
          modelId: id,
          keyName: options.keyName ?? "OPENAI_API_KEY",
          apiKey,
          signal,
        },
        idleTimeoutMs: options.idleTimeoutMs,
        isOfficial,
      });
    },
  };
}
