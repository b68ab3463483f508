import type { AssistantMessage, ReasoningPart, TextPart, ToolCall } from "@skein/contracts";
import type { Model, ModelEvent, ModelRequest, ToolDefinition } from "@skein/engine";
import { type ModelServer, type ModelServerOptions, startModelServer } from "@skein/testkit/model-servers";
import { createModel } from "../index.ts";

export interface Provider {
  name: string;
  modelId: string;
  server: Pick<ModelServerOptions, "api" | "mistral">;
  /** Whether its reasoning is sent back to it. */
  replaysReasoning: boolean;
}

export const providers: readonly Provider[] = [
  { name: "Anthropic", modelId: "anthropic/claude-sonnet-5-5", server: { api: "anthropic" }, replaysReasoning: true },
  { name: "OpenAI Chat", modelId: "openai-chat/gpt-5.4", server: { api: "openai-chat" }, replaysReasoning: false },
  { name: "Mistral", modelId: "openai-chat/mistral/large", server: { api: "openai-chat", mistral: true }, replaysReasoning: false },
  { name: "OpenAI Responses", modelId: "openai/gpt-5.6-sol", server: { api: "openai-responses" }, replaysReasoning: true },
  { name: "Gemini", modelId: "gemini/gemini-3.1-pro-preview", server: { api: "gemini" }, replaysReasoning: true },
];

export function startServer(provider: Provider, options: Omit<ModelServerOptions, "api" | "mistral">): Promise<ModelServer> {
  return startModelServer({ ...provider.server, ...options });
}

export function connect(provider: Provider, { url, apiKey }: { url: string; apiKey: string }): Promise<Model> {
  return createModel(provider.modelId, {
    environment: {
      ANTHROPIC_API_KEY: apiKey,
      ANTHROPIC_BASE_URL: url,
      OPENAI_API_KEY: apiKey,
      OPENAI_BASE_URL: url,
      GEMINI_API_KEY: apiKey,
      GOOGLE_GEMINI_BASE_URL: url,
    },
    endpoints: { mistral: { baseUrl: url, apiKey, dialect: "mistral" } },
  });
}

export const tools: readonly ToolDefinition[] = ["files.read", "bash"].map((name) => ({
  name,
  description: `Runs ${name}`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));

export async function collect(model: Model, request: Partial<ModelRequest>, signal = new AbortController().signal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream({ messages: [{ role: "user", content: "go" }], tools, ...request }, { signal }))
    events.push(event);
  return events;
}

/** The message that the events make up, as the native agent stores it. */
export function toMessage(modelId: string, events: readonly ModelEvent[]): AssistantMessage {
  const blocks = new Map<number, TextPart | ReasoningPart>();
  const toolCalls: ToolCall[] = [];
  for (const event of events) {
    if (event.type === "end") continue;
    const block = blocks.get(event.index);
    if (event.type === "text-delta") blocks.set(event.index, { type: "text", text: (block?.text ?? "") + event.text });
    else if (event.type === "reasoning-delta") {
      blocks.set(event.index, { type: "reasoning", model: modelId, text: (block?.text ?? "") + event.text });
    } else if (event.type === "reasoning-end") {
      const { type: _type, index: _index, ...extra } = event;
      blocks.set(event.index, { type: "reasoning", model: modelId, text: block?.text ?? "", ...extra });
    } else {
      const { id, name, arguments: text, providerData } = event;
      toolCalls.push({
        id,
        type: "function",
        function: { name, arguments: text },
        ...(providerData === undefined ? {} : { providerData }),
      });
    }
  }
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  return { role: "assistant", content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

export function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
}
