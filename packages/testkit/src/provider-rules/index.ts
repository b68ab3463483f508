export { checkAnthropicRequest } from "./check-anthropic-request.ts";
export { checkGeminiRequest } from "./check-gemini-request.ts";
export { checkOpenAIChatRequest } from "./check-openai-chat-request.ts";
export { checkOpenAIResponsesRequest } from "./check-openai-responses-request.ts";
export type { Violation } from "./violation.ts";
