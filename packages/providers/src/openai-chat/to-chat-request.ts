import type { JsonValue, MessageBody, ReasoningEffort } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { chatIds, IdMap, mistralIds, NameMap, openaiNames, toChatMessages, toConversation } from "@skein/engine/formats";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import { fitImages } from "../images/fit-images.ts";
import { openaiImageLimits } from "../images/openai-image-limits.ts";
import { reasonsByName } from "../models/known-models.ts";
import { toObjectSchema } from "../schemas/to-object-schema.ts";
import { uniqueTools } from "../schemas/unique-tools.ts";

/**
 * `openai`: OpenAI itself. `compatible`: servers that implement the original Chat Completions API (Ollama, vLLM, LM Studio, OpenRouter).
 * `mistral`: has rules of its own (M1).
 */
export type ChatDialect = "openai" | "compatible" | "mistral";

export interface ChatRequestInput {
  messages: readonly MessageBody[];
  tools: readonly ToolDefinition[];
  model: string;
  maxTokens?: number | undefined;
  dialect: ChatDialect;
  /** False for models that accept text only. */
  images?: boolean | undefined;
  effort?: ReasoningEffort | undefined;
}

export interface ChatRequest {
  params: ChatCompletionCreateParamsStreaming;
  names: NameMap;
}

/** This API has no field for reasoning, so it is never sent back. */
export function toOpenAIChatRequest(input: ChatRequestInput): ChatRequest {
  const messages = fitImages(input.messages, input.images === false ? { ...openaiImageLimits, mediaTypes: [] } : openaiImageLimits);
  const conversation = toConversation(messages, { keepsReasoning: () => false });
  const isMistral = input.dialect === "mistral";
  const tools = uniqueTools(input.tools);
  const names = new NameMap(openaiNames, tools);
  const ids = new IdMap(isMistral ? mistralIds : chatIds);
  const system: ChatCompletionMessageParam[] = conversation.system === "" ? [] : [{ role: "system", content: conversation.system }];
  return {
    names,
    params: {
      model: input.model,
      messages: [...system, ...toChatMessages(conversation.turns, { ids, names, allowsUserAfterTool: !isMistral })],
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => toTool(tool, names)) }),
      ...(input.maxTokens === undefined ? {} : toLimit(input.maxTokens, input.dialect)),
      ...(input.effort !== undefined && takesEffort(input) ? { reasoning_effort: input.effort } : {}),
      stream: true,
      // Mistral always reports usage, and rejects unknown fields.
      ...(isMistral ? {} : { stream_options: { include_usage: true } }),
    },
  };
}

/** A compatible server's limits cannot be derived from the model's name: everything is sent, and the caller omits what is rejected. */
function takesEffort({ dialect, model }: ChatRequestInput): boolean {
  return dialect === "openai" ? reasonsByName(model) : dialect === "compatible";
}

function toLimit(maxTokens: number, dialect: ChatDialect): { max_completion_tokens: number } | { max_tokens: number } {
  return dialect === "openai" ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens };
}

function toTool({ name, description, inputSchema }: ToolDefinition, names: NameMap): ChatCompletionTool {
  const parameters: Record<string, JsonValue> = toObjectSchema(inputSchema);
  return { type: "function", function: { name: names.map(name), description: description.toWellFormed(), parameters } };
}
