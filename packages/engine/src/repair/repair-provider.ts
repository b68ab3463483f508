/**
 * The API whose messages are repaired: Anthropic's `messages`, Chat Completions' `messages`, the Responses API's `input`, Gemini's
 * `contents`, or the AI SDK's `ModelMessage[]`.
 */
export type RepairProvider = "anthropic" | "openai-chat" | "openai-responses" | "gemini" | "ai-sdk";
