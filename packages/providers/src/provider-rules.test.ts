import { type MessageBody, reasoningEffortSchema } from "@skein/contracts";
import type { ToolDefinition } from "@skein/engine";
import { anyHistory, anyText, anyToolName } from "@skein/testkit/histories";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findLoneSurrogate } from "./testing/find-lone-surrogate.fixture.ts";
import { buildMessages, subjectIds, subjects } from "./testing/requests.fixture.ts";

const numRuns = process.env.SKEIN_TEST_LONG === "1" ? 100_000 : 300;
const timeout = process.env.SKEIN_TEST_LONG === "1" ? 10_800_000 : 60_000;

const anyTools: fc.Arbitrary<ToolDefinition[]> = fc.array(
  fc.record({
    name: anyToolName,
    description: anyText,
    inputSchema: fc.constantFrom(
      {},
      null,
      { type: "object", properties: { path: { type: "string", pattern: "^a" } }, required: ["path"], $schema: "x" },
      { type: "string" },
      { anyOf: [{ type: "object" }], description: "\ud800" },
      { type: "object", properties: { const: { const: "a" }, "\udfff": { type: ["string", "null"] } } },
    ),
  }),
  { maxLength: 3 },
);

const anyPrompts = fc.constantFrom([], ["You are Skein."], ["\ud83d", " "]);
const anyEffort = fc.constantFrom(undefined, ...reasoningEffortSchema.options);

describe.each(subjects)("requests to $modelId", ({ modelId, toBody, check }) => {
  // Half of the reasoning is the model's own and is sent back to it.
  const models = [modelId, modelId, "anthropic/claude-opus-5", "openai/gpt-5.4"];
  test("[Q1] any history builds to a request that the provider accepts", { timeout }, () => {
    fc.assert(
      fc.property(anyHistory({ models }), anyTools, anyPrompts, anyEffort, (history, tools, prompts, effort) => {
        const messages = buildMessages(history, prompts);
        if (messages === undefined) return;
        const body = toBody(messages, tools, effort);
        expect(check(body)).toEqual([]);
        expect(findLoneSurrogate(body)).toBeUndefined();
      }),
      { numRuns },
    );
  });

  test("[Q1] the same history builds to the same bytes", { timeout }, () => {
    fc.assert(
      fc.property(anyHistory({ models, maxLength: 6 }), (history) => {
        const messages = buildMessages(history);
        if (messages === undefined) return;
        expect(JSON.stringify(toBody(structuredClone(messages), []))).toBe(JSON.stringify(toBody(messages, [])));
      }),
      { numRuns: Math.ceil(numRuns / 10) },
    );
  });

  test("[Q9] a request is a prefix of the next one", { timeout }, () => {
    fc.assert(
      fc.property(anyHistory({ models }), fc.nat(), (history, cut) => {
        const all = buildMessages(history);
        if (all === undefined) return;
        const ends = all.flatMap((message, i) => (endsRequest(all, i) && message.role !== "system" ? [i + 1] : []));
        const end = ends[cut % Math.max(1, ends.length)];
        if (end === undefined) return;
        const shorter = toUnits(toBody(all.slice(0, end), []));
        const longer = toUnits(toBody(all, []));
        expect(longer.slice(0, shorter.length)).toEqual(shorter);
      }),
      { numRuns },
    );
  });

  test("[R2] a summary is a message or a block of its own, never joined with the user's words", () => {
    const summary = "[Previous conversation summary]\n\nIt quotes a tool.";
    const body = toBody(
      [
        { role: "system", content: "You are Skein." },
        { role: "system", content: summary },
        { role: "user", content: "And now?" },
        { role: "user", content: "Be quick." },
      ],
      [],
    );
    const texts: string[] = [];
    JSON.stringify(body, (_, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    expect(texts).toContain(summary);
    expect(texts.some((text) => text.includes("And now?"))).toBe(true);
    expect(check(body)).toEqual([]);
  });

  test("its reasoning goes to no other model", () => {
    const secret = "c2VjcmV0";
    const history = (model: string): MessageBody[] => [
      { role: "user", content: "a" },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "thought", signature: secret, model, providerData: { itemId: "rs_1", encryptedContent: secret } },
          { type: "text", text: "b" },
        ],
      },
      { role: "user", content: "c" },
    ];
    for (const other of subjectIds.filter((id) => id !== modelId)) {
      expect(JSON.stringify(toBody(history(other), []))).not.toContain(secret);
    }
  });
});

/** Positions where a request can end: after a user message, or after the last result of a step. */
function endsRequest(messages: readonly MessageBody[], position: number): boolean {
  const message = messages[position];
  return message?.role === "user" || (message?.role === "tool" && messages[position + 1]?.role !== "tool");
}

/**
 * What the provider reads, in order: the system prompt, then each block with its role. Cache points may move, and images may be replaced
 * if there are too many; both are accounted for.
 */
function toUnits(body: object): string[] {
  const { system, instructions, systemInstruction, messages, input, contents } = body as Record<string, unknown>;
  const list = (messages ?? input ?? contents) as Record<string, unknown>[];
  const units = [system ?? instructions ?? systemInstruction ?? null, ...list.flatMap(splitMessage)];
  return units.map((unit) => JSON.stringify(unit, (key, value) => (key === "cache_control" ? undefined : value)));
}

function splitMessage(message: Record<string, unknown>): unknown[] {
  const { content, parts, ...rest } = message;
  const blocks = content ?? parts;
  if (typeof blocks === "string") return splitText(blocks).map((text) => ({ ...rest, block: { type: "text", text } }));
  if (!Array.isArray(blocks)) return [message];
  return blocks.flatMap((block) =>
    block.type === "text" ? splitText(block.text).map((text) => ({ ...rest, block: { ...block, text } })) : [{ ...rest, block }],
  );
}

/** Consecutive texts of one role may be one string: each paragraph is a unit. */
function splitText(text: string): string[] {
  return text.split("\n\n");
}
