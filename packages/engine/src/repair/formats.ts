import { aiSdkFormat } from "./ai-sdk-format.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import { geminiFormat } from "./gemini-format.ts";
import type { MessageFormat } from "./message-format.ts";
import { openaiChatFormat } from "./openai-chat-format.ts";
import { openaiResponsesFormat } from "./openai-responses-format.ts";
import type { RepairProvider } from "./repair-provider.ts";

export const formats: Record<RepairProvider, MessageFormat> = {
  anthropic: anthropicFormat,
  "openai-chat": openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
  gemini: geminiFormat,
  "ai-sdk": aiSdkFormat,
};
