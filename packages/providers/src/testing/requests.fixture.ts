import type { MessageBody, ReasoningEffort } from "@skein/contracts";
import { RequestMessageBuilder, RequestValidationError, type ToolDefinition } from "@skein/engine";
import {
  checkAnthropicRequest,
  checkGeminiRequest,
  checkOpenAIChatRequest,
  checkOpenAIResponsesRequest,
  type Violation,
} from "@skein/testkit/provider-rules";
import { budgetOf } from "../anthropic/thinking.ts";
import { toAnthropicRequest } from "../anthropic/to-anthropic-request.ts";
import { toGeminiRequest } from "../gemini/to-gemini-request.ts";
import { toOpenAIChatRequest } from "../openai-chat/to-chat-request.ts";
import { toOpenAIResponsesRequest } from "../openai-responses/to-responses-request.ts";

export interface Subject {
  modelId: string;
  /** The body as the SDK sends it. */
  toBody(messages: readonly MessageBody[], tools: readonly ToolDefinition[], effort?: ReasoningEffort): object;
  check(body: object): Violation[];
}

function anthropic(model: string, thinking: "adaptive" | { budgetTokens: number }): Subject {
  const modelId = `anthropic/${model}`;
  return {
    modelId,
    toBody(messages, tools, effort) {
      const asked = thinking === "adaptive" || effort === undefined ? thinking : { budgetTokens: budgetOf[effort] };
      return toAnthropicRequest({ messages, tools, model, modelId, maxTokens: 32_000, thinking: asked, effort }).params;
    },
    check: (body) => checkAnthropicRequest(body),
  };
}

function chat(dialect: "openai" | "mistral", model: string): Subject {
  return {
    modelId: `openai-chat/${dialect}`,
    toBody: (messages, tools, effort) => toOpenAIChatRequest({ messages, tools, model, dialect, effort }).params,
    check: (body) => checkOpenAIChatRequest(body, { mistral: dialect === "mistral" }),
  };
}

function gemini(model: string): Subject {
  const modelId = `gemini/${model}`;
  return {
    modelId,
    toBody(messages, tools, effort) {
      const { contents, config } = toGeminiRequest({ messages, tools, model, modelId, effort }).params;
      return { contents, ...config };
    },
    check: (body) => checkGeminiRequest(body, model),
  };
}

const responses: Subject = {
  modelId: "openai/gpt-5.6-sol",
  toBody: (messages, tools, effort) =>
    toOpenAIResponsesRequest({ messages, tools, model: "gpt-5.6-sol", modelId: "openai/gpt-5.6-sol", reasons: true, effort }).params,
  check: (body) => checkOpenAIResponsesRequest(body),
};

export const subjects: readonly Subject[] = [
  anthropic("claude-sonnet-5-5", "adaptive"),
  anthropic("claude-haiku-4-5", { budgetTokens: 4096 }),
  chat("openai", "gpt-5.4"),
  chat("mistral", "mistral-large"),
  responses,
  gemini("gemini-3.1-pro-preview"),
  gemini("gemini-2.5-flash"),
];

export const subjectIds = subjects.map(({ modelId }) => modelId);

/** Undefined for a history that the builder itself rejects. */
export function buildMessages(
  history: readonly MessageBody[],
  systemPrompts: readonly string[] = ["You are Skein."],
): MessageBody[] | undefined {
  try {
    const messages = history.map((body, id) => ({ id, body }));
    return new RequestMessageBuilder().setSystemPrompts(systemPrompts).setMessages(messages).build();
  } catch (error) {
    if (error instanceof RequestValidationError) return undefined;
    throw error;
  }
}
