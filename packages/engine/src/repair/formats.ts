import { aiSdkFormat } from "./ai-sdk-format.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import { geminiFormat } from "./gemini-format.ts";
import type { MessageFormat } from "./message-format.ts";
import { openaiChatFormat } from "./openai-chat-format.ts";
import { openaiResponsesFormat } from "./openai-responses-format.ts";

/**
 * The API whose messages are repaired: Anthropic's `messages`, Chat Completions' `messages`, the Responses API's `input`, Gemini's
 * `contents`, or the AI SDK's `ModelMessage[]`.
 */
export type RepairProvider = "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "ai-sdk";

export const formats: Record<RepairProvider, MessageFormat> = {
  anthropic: anthropicFormat,
  "openai-chat": openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
  gemini: geminiFormat,
  "ai-sdk": aiSdkFormat,
};
