import type { RepairProvider } from "../repair/repair-provider.ts";
import { aiSdkDialect } from "./ai-sdk-dialect.ts";
import { anthropicDialect } from "./anthropic-dialect.ts";
import { geminiDialect } from "./gemini-dialect.ts";
import type { Dialect } from "./neutral.ts";
import { openaiChatDialect } from "./openai-chat-dialect.ts";
import { openaiResponsesDialect } from "./openai-responses-dialect.ts";

export const dialects: Record<RepairProvider, Dialect> = {
  anthropic: anthropicDialect,
  "openai-chat": openaiChatDialect,
  "openai-responses": openaiResponsesDialect,
  gemini: geminiDialect,
  "ai-sdk": aiSdkDialect,
};
