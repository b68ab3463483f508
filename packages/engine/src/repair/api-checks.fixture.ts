import {
  checkAnthropicRequest,
  checkGeminiRequest,
  checkOpenAIChatRequest,
  checkOpenAIResponsesRequest,
  type Violation,
} from "@skein/testkit/provider-rules";
import type { RepairProvider } from "./repair-provider.ts";

type Wire = Record<string, unknown>;

const tool = { name: "tool", description: "A tool", input_schema: { type: "object", properties: {} } };

/** What the provider would answer to a request that ends with a user's message. */
export const checks: Record<RepairProvider, (messages: Wire[]) => Violation[]> = {
  anthropic: (messages) =>
    checkAnthropicRequest({
      model: "claude-opus-5",
      max_tokens: 100,
      tools: [tool],
      messages: [...messages, { role: "user", content: [{ type: "text", text: "Continue." }] }],
      stream: true,
    }).filter(({ rule }) => rule !== "A13"), // the API joins adjacent messages itself
  "openai-chat": (messages) =>
    checkOpenAIChatRequest({ model: "gpt-5", messages: [...messages, { role: "user", content: "Continue." }], stream: true }),
  "openai-responses": (messages) =>
    checkOpenAIResponsesRequest({
      model: "gpt-5",
      input: [...messages, { type: "message", role: "user", content: "Continue." }],
      stream: true,
    }),
  gemini: (messages) =>
    checkGeminiRequest(
      {
        contents: [...messages, { role: "user", parts: [{ text: "Continue." }] }],
        config: { tools: [{ functionDeclarations: [{ name: "tool" }] }] },
      },
      "gemini-2.5-pro",
    ),
  "ai-sdk": checkModelMessages,
};

/** The rule of the AI SDK's providers: the tool messages after an answer have one result for each of its calls. */
function checkModelMessages(messages: Wire[]): Violation[] {
  const listIds = (message: Wire | undefined, type: string): string[] =>
    (Array.isArray(message?.content) ? message.content : []).filter((part) => part.type === type).map((part) => part.toolCallId);
  const violations: Violation[] = [];
  for (let at = 0; at < messages.length; ) {
    const calls = messages[at]?.role === "tool" ? [] : listIds(messages[at++], "tool-call");
    const results: string[] = [];
    while (messages[at]?.role === "tool") results.push(...listIds(messages[at++], "tool-result"));
    if (String(calls) !== String(results)) violations.push({ rule: "shape", path: `messages.${at}`, message: "calls and results differ" });
  }
  return violations;
}
