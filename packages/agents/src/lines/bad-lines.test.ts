import { type AgentOutput, agentOutputSchema } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAcpDecoder } from "../acp/create-acp-decoder.ts";
import { createCodexAppServerDecoder } from "../codex/create-codex-app-server-decoder.ts";
import { createCodexExecDecoder } from "../codex/create-codex-exec-decoder.ts";
import { type CreateDecoder, executionId, playLines } from "../recordings/play-recording.fixture.ts";
import { toLogLines } from "../recordings/read-recording.fixture.ts";

const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;

interface Agent {
  name: string;
  createDecoder: CreateDecoder;
  /** Lines of a valid execution; `%` stands for any JSON value inside a call's input. */
  text: string;
  use: string;
  end: string;
}

const update = (body: string) => `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":${body}}}`;

const agents: Agent[] = [
  {
    name: "codex exec",
    createDecoder: createCodexExecDecoder,
    text: '{"type":"item.completed","item":{"id":"item_0","type":"agent_message","text":"fine"}}',
    use: '{"type":"item.started","item":{"id":"item_1","type":"later_kind","value":%}}',
    end: '{"type":"turn.completed","usage":{"input_tokens":1}}',
  },
  {
    name: "codex app-server",
    createDecoder: createCodexAppServerDecoder,
    text: '{"method":"item/completed","params":{"item":{"type":"agentMessage","id":"m","text":"fine"}}}',
    use: '{"method":"item/started","params":{"item":{"type":"laterKind","id":"c","value":%}}}',
    end: '{"method":"turn/completed","params":{"turn":{"id":"t","status":"completed"}}}',
  },
  {
    name: "acp",
    createDecoder: createAcpDecoder,
    text: update('{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"fine"}}'),
    use: update('{"sessionUpdate":"tool_call","toolCallId":"c","title":"t","kind":"other","status":"in_progress","rawInput":{"value":%}}'),
    end: '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}',
  },
];

describe.each(agents)("$name", ({ createDecoder, text, use, end }) => {
  const play = (...lines: string[]) => playLines(toLogLines(lines), createDecoder);
  const textOf = (outputs: readonly AgentOutput[]) => outputs.flatMap((output) => (output.type === "text" ? [output.text] : []));

  it.each([
    ["broken JSON", '{"type":'],
    ["NUL bytes", "\u0000\u0000"],
    ["prose", "npm warn something"],
    ["a JSON value that is no object", "[1,2]"],
    ["an object of another program", '{"hello":"world"}'],
    ["invalid UTF-8 that was replaced", "\ufffd\ufffd{"],
  ])("[Q13] %s is kept and shown, and the lines around it are read", (_, bad) => {
    const { outputs, conversation } = play(text, bad, text);
    expect(outputs.filter((output) => output.type === "raw")).toMatchObject([{ text: bad }]);
    expect(textOf(outputs)).toEqual(["fine", "fine"]);
    expect(conversation.filter((message) => message.messageType === "notice")).toMatchObject([
      { content: bad, metadata: { code: "unreadable-output" } },
    ]);
  });

  it("[Q13] CRLF, a byte order mark and blank lines are no records and no errors", () => {
    expect(textOf(play(`\ufeff${text}\r`, "\r", "").outputs)).toEqual(["fine"]);
    expect(play(`\ufeff${text}\r`, "\r", "").outputs).toEqual(play(`\ufeff${text}\r`).outputs);
  });

  it("[Q13] input nested 100,000 deep is left out, the call is shown, and the snapshots can be written", () => {
    const { conversation, outputs } = play(use.replace("%", deep), text);
    expect(conversation.filter((message) => message.messageType === "tool_execution")).toHaveLength(1);
    expect(textOf(outputs)).toEqual(["fine"]);
  });

  it("[Q13] `__proto__` in an input stays data", () => {
    const { conversation } = play(use.replace("%", '{"__proto__":{"polluted":true}}'));
    expect(JSON.stringify(conversation)).toContain("polluted");
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("[Q13] numbers beyond 2^53 do not break a call", () => {
    const { conversation } = play(use.replace("%", "123456789012345678901234567890"));
    expect(conversation.filter((message) => message.messageType === "tool_execution")).toHaveLength(1);
  });

  it("[Q13] two final records are two ends, and none is none", () => {
    const ends = (outputs: readonly AgentOutput[]) => outputs.filter((output) => output.type === "end");
    expect(ends(play(text).outputs)).toEqual([]);
    expect(ends(play(text, end, end).outputs)).toHaveLength(2);
  });

  it("[Q13] whatever fields hold, nothing throws, every output is valid and a restart changes nothing", () => {
    const parts = [text, use, end].map((line) => JSON.parse(line.replace("%", "1")) as object);
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("completed", "failed", -1, 2 ** 60, "item_0", "c", "text", null));
    const lines = fc.array(fc.tuple(fc.constantFrom(...parts), fc.nat({ max: 30 }), value), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.nat({ max: 8 }), (changes, cut) => {
        const log = toLogLines(changes.map(([part, place, field]) => JSON.stringify(replaceAt(part, place, field))));
        const whole = playLines(log, createDecoder);
        for (const output of whole.outputs) agentOutputSchema.parse(output);
        expect(playLines(log, createDecoder, cut)).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });

  it("[T5] memory for calls that never end is bounded", () => {
    const long = "x".repeat(200_000);
    const id = (number: number) => `${number}-${long.slice(0, 300)}`;
    const open = JSON.parse(use.replace("%", '"v"')) as object;
    const lines = Array.from({ length: 3000 }, (_, number) => JSON.stringify(withCallId(open, id(number))));
    const decoder = createDecoder({ executionId });
    for (const line of toLogLines([...lines, use.replace("%", JSON.stringify(long)), text.replace("fine", long)])) decoder.decode(line);
    expect(JSON.stringify(decoder.snapshot()).length).toBeLessThan(128 * 1024);
  });
});

/** The value with its `place`th field, counted depth first, replaced. */
function replaceAt(value: object, place: number, field: unknown): object {
  let count = 0;
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    count += 1;
    return count - 1 === place && key !== "" ? field : inner;
  }) as object;
}

function withCallId(value: object, id: string): object {
  const names = new Set(["id", "toolCallId"]);
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => (names.has(key) ? id : inner)) as object;
}
