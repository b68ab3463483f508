import type { MessageBody } from "@skein/contracts";
import { anyHistory } from "@skein/testkit/histories";
import {
  checkAnthropicRequest,
  checkGeminiRequest,
  checkOpenAIChatRequest,
  checkOpenAIResponsesRequest,
  type Violation,
} from "@skein/testkit/provider-rules";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naive } from "./naive-messages.fixture.ts";
import { type RepairProvider, repair } from "./repair.ts";

type Wire = Record<string, unknown>;

const tool = { name: "tool", description: "A tool", input_schema: { type: "object", properties: {} } };

/** What the provider would answer to a request that ends with a user's message. */
const checks: Record<RepairProvider, (messages: Wire[]) => Violation[]> = {
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

const wellFormed = (history: readonly MessageBody[]): MessageBody[] =>
  JSON.parse(JSON.stringify(history), (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
const anyMessages = anyHistory({ models: ["m"] }).map(wellFormed);
const isLong = process.env.SKEIN_TEST_LONG === "1";
const numRuns = isLong ? 100_000 : 500;
const timeout = isLong ? 10_800_000 : 60_000;
const providers = Object.keys(naive) as RepairProvider[];

describe.each(providers)("%s", (provider) => {
  const toMessages = (history: readonly MessageBody[]) => history.flatMap(naive[provider]);

  test("[M3] any history becomes one that the API accepts", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        expect(checks[provider](repair(toMessages(history), { provider }).messages)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("[M3] repairing twice changes nothing more, and what is valid is returned as it is", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        const { messages } = repair(toMessages(history), { provider });
        const again = repair(messages, { provider });
        expect(again.changes).toEqual([]);
        expect(again.messages).toBe(messages);
      }),
      { numRuns },
    );
  });

  test("[M3] every change is reported, and messages without one are the same objects", { timeout }, () => {
    fc.assert(
      fc.property(anyMessages, (history) => {
        const messages = toMessages(history);
        const frozen = JSON.stringify(messages);
        const { messages: repaired, changes } = repair(messages, { provider });
        expect(JSON.stringify(messages)).toBe(frozen);
        if (changes.length === 0) expect(repaired).toBe(messages);
        else expect(repaired).not.toEqual(messages);
      }),
      { numRuns },
    );
  });
});
