import type { ModelEvent } from "@skein/engine";
import { NameMap, openaiNames } from "@skein/engine/formats";
import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import { describe, expect, test } from "vitest";
import { toOpenAIError } from "./fetch-keeping-errors.ts";
import { toChatEvents } from "./to-chat-events.ts";

/** Chunks as compatible servers send them: without some fields that the SDK's type requires. */
async function read(deltas: object[], finish: string | null = "stop"): Promise<ModelEvent[]> {
  async function* chunks() {
    for (const delta of deltas) yield { choices: [{ index: 0, delta, finish_reason: null }] };
    yield { choices: [{ index: 0, delta: {}, finish_reason: finish }] };
  }
  const events: ModelEvent[] = [];
  for await (const event of toChatEvents(chunks() as unknown as AsyncIterable<ChatCompletionChunk>, new NameMap(openaiNames, [])))
    events.push(event);
  return events;
}

const calls = (events: ModelEvent[]) =>
  events.flatMap((event) => (event.type === "tool-call" ? [[event.id, event.name, event.arguments]] : []));

describe("Chat streams", () => {
  test("calls whose fragments come interleaved", async () => {
    const events = await read([
      { tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: '{"p":' } }] },
      { tool_calls: [{ index: 1, id: "b", function: { name: "bash", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
    ]);
    expect(calls(events)).toEqual([
      ["a", "read", '{"p":1}'],
      ["b", "bash", "{}"],
    ]);
  });

  test("a server that gives every call the index 0 and an id of its own", async () => {
    const events = await read([
      { tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: "{}" } }] },
      { tool_calls: [{ index: 0, id: "b", function: { name: "bash", arguments: "{}" } }] },
    ]);
    expect(calls(events)).toEqual([
      ["a", "read", "{}"],
      ["b", "bash", "{}"],
    ]);
    expect(events.at(-1)).toMatchObject({ stopReason: "tool-calls" });
  });

  test.each(["reasoning", "reasoning_content"])("thoughts in %s", async (field) => {
    expect((await read([{ [field]: "hm" }, { content: "hi" }])).slice(0, 2)).toEqual([
      { type: "reasoning-delta", index: 0, text: "hm" },
      { type: "text-delta", index: 1, text: "hi" },
    ]);
  });

  test("[Q11] half a call at the output limit is left out; one that the model wrote wrong is reported", async () => {
    const half = [{ tool_calls: [{ index: 0, id: "a", function: { name: "read", arguments: '{"p":' } }] }];
    expect(await read(half, "length")).toEqual([{ type: "end", stopReason: "length", usage: {} }]);
    expect(calls(await read(half, "tool_calls"))).toEqual([["a", "read", '{"p":']]);
  });

  test("without a finish reason there is no end", async () => {
    expect(await read([{ content: "half" }], null)).toEqual([{ type: "text-delta", index: 0, text: "half" }]);
  });
});

test.each([
  ['{"object":"error","message":"Too long","type":"t","code":"3051"}', "Too long"],
  ['{"detail":[{"msg":"Extra inputs"}]}', '[{"msg":"Extra inputs"}]'],
  ['{"error":"model not found"}', "model not found"],
])("the error text of a compatible server is kept: %s", (body, said) => {
  expect(JSON.parse(toOpenAIError(body)).error.message).toBe(said);
});

test("OpenAI's own errors and plain text stay as they are", () => {
  expect(toOpenAIError('{"error":{"message":"x"}}')).toBe('{"error":{"message":"x"}}');
  expect(toOpenAIError("Bad gateway")).toBe("Bad gateway");
});
