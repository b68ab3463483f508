import { agentOutputSchema, type JsonValue } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClaudeCodeDecoder } from "./create-claude-code-decoder.ts";
import { asLog, assistant, messageStart, resultOf, results, streamEvent, text, textDelta, use } from "./lines.fixture.ts";
import { executionId, lineOf, readTrace, replay, toLogLines } from "./replay.fixture.ts";

const good = JSON.stringify(assistant("m", [text("fine")]));

describe("lines that are not records", () => {
  it.each([
    ["broken JSON", '{"type":"assistant","mess'],
    ["prose", "Warning: something"],
    ["a JSON array", "[1,2]"],
    ["NUL", "\u0000"],
    ["a known type without its content", '{"type":"assistant"}'],
    ["a message whose content is a number", '{"type":"assistant","message":{"content":3}}'],
    ["no type", '{"hello":"world"}'],
    ["a type in the prototype only", '{"__proto__":{"type":"result"}}'],
    ["the start of a line that was too long to keep", `{"type":"user","message":"${"x".repeat(70_000)}`],
  ])("[Q13] %s is shown as it is, and the rest is read", (_, bad) => {
    const { outputs, shown } = replay(toLogLines(`${bad}\n${good}`));
    expect(outputs[0]).toMatchObject({ type: "raw", text: bad });
    expect(shown.at(-1)).toMatchObject({ messageType: "text", content: "fine" });
  });

  it.each([
    ["CRLF", `${good}\r\n`],
    ["a byte order mark", `\ufeff${good}\n`],
    ["no last newline", good],
    ["empty lines", `\n\r\n${good}\n\n`],
  ])("[Q13] %s causes no error", (_, log) => {
    const { outputs } = replay(toLogLines(log));
    expect(outputs).toMatchObject([{ type: "text", text: "fine" }]);
  });

  it("[Q13] an input nested 100,000 deep is shown without being walked", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const line = `{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":${deep}}]}}`;
    const { shown } = replay(toLogLines(`${line}\n${JSON.stringify(results([resultOf("t", "x")], { tool_use_result: {} }))}`));
    expect(shown).toMatchObject([{ messageType: "tool_execution", metadata: { state: "completed" } }]);
  });

  it("[Q13] two final records, or none, end in one state", () => {
    const result = { type: "result", subtype: "success", is_error: false, result: "x" };
    expect(replay(asLog(assistant("m", [text("a")]), result, result)).outputs.filter((output) => output.type === "end")).toHaveLength(2);
    expect(replay(asLog(assistant("m", [text("a")]))).outputs.some((output) => output.type === "end")).toBe(false);
  });

  it("[Q13] no field of any shape makes the decoder throw or produce an invalid output", () => {
    const seeds = ["2.1.325-tools", "2.1.325-ctl-deny", "2.1.325-subagent-fwd", "2.1.325-slash-compact", "2.1.325-ctl-interrupt-text"]
      .flatMap(readTrace)
      .map((line): JsonValue => JSON.parse(line.text));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...seeds), fc.nat(), fc.jsonValue()), { maxLength: 8 }), (edits) => {
        const lines = edits.map(([seed, place, value], index) => lineOf(replaceAt(seed, place, value as JsonValue), index));
        const decoder = createClaudeCodeDecoder({ executionId });
        for (const line of lines) for (const output of decoder.decode(line)) agentOutputSchema.parse(output);
        createClaudeCodeDecoder({ executionId, snapshot: JSON.parse(JSON.stringify(decoder.snapshot())) });
        replay(lines);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("memory", () => {
  it("[T5] memory does not grow with the log", () => {
    const decoder = createClaudeCodeDecoder({ executionId });
    const sizes: number[] = [];
    let index = 0;
    const feed = (value: JsonValue) => decoder.decode(lineOf(value, index++));
    for (let round = 0; round < 2000; round++) {
      feed({ type: "system", subtype: "init", session_id: `s${round}`, model: "m" });
      feed({ type: `kind-${round}` });
      feed({ type: "system", subtype: "task_started", task_id: `b${round}`, is_backgrounded: true });
      feed({
        type: "control_request",
        request_id: `r${round}`,
        request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: `t${round}` },
      });
      feed(messageStart(`m${round}`));
      feed(textDelta(0, "words"));
      feed(streamEvent({ type: "message_start", message: { id: `s${round}` } }, `agent${round}`));
      feed(assistant(`m${round}`, [use(`t${round}`)], { parent: `other${round}` }));
      if (round === 999 || round === 1999) sizes.push(JSON.stringify(decoder.snapshot()).length);
    }
    expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 1.05);
    expect(sizes[1]).toBeLessThan(64 * 1024);
  });
});

/** The JSON with the value at one position, counted from the outside, replaced. */
function replaceAt(seed: JsonValue, place: number, value: JsonValue): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(seed));
  const places: [JsonValue[] | { [key: string]: JsonValue }, string][] = [];
  const walk = (item: JsonValue): void => {
    if (typeof item !== "object" || item === null) return;
    for (const key of Object.keys(item)) {
      places.push([item, key]);
      walk((item as { [key: string]: JsonValue })[key] ?? null);
    }
  };
  walk(copy);
  const [holder, key] = places[place % Math.max(1, places.length)] ?? [];
  if (holder !== undefined && key !== undefined && key !== "type") (holder as { [key: string]: JsonValue })[key] = value;
  return copy;
}
