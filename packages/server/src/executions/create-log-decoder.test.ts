import { type AgentOutput, agentOutputSchema } from "@skein/contracts";
import { encodeLogRecord, type LogRecord } from "@skein/contracts/log-record";
import { escapeAgentLine } from "@skein/contracts/record-frame";
import type { AgentDecoder } from "@skein/engine";
import { testId } from "@skein/testkit";
import { describe, expect, it } from "vitest";
import { createLogDecoder } from "./create-log-decoder.ts";

const executionId = testId("exe");
const messageId = testId("msg", 3);
/** Shows the agent's lines as they reach its decoder. */
const agentLine = (text: string): AgentOutput => ({ type: "raw", messageId, text, reason: "agent", at: 7 });
const echo = (): AgentDecoder => ({ decode: ({ text }) => [agentLine(text)], snapshot: () => "its own" });

const head: LogRecord = { type: "log", version: 2 };
const started: LogRecord = { type: "agent-started" };
const toLine = (line: LogRecord | string) =>
  typeof line === "string" ? Buffer.from(escapeAgentLine(Buffer.from(line))).toString("utf8") : encodeLogRecord(line);

async function read(lines: readonly string[], recordWriter: "driver" | "native" = "driver"): Promise<AgentOutput[]> {
  let decoder = await createLogDecoder({ createDecoder: echo, recordWriter }, { executionId });
  let offset = 0;
  const outputs: AgentOutput[] = [];
  for (const text of lines) {
    outputs.push(...decoder.decode({ text, offset, at: 7 }));
    offset += Buffer.byteLength(text) + 1;
    // a restart after every line changes nothing
    decoder = await createLogDecoder({ createDecoder: echo, recordWriter }, { executionId, snapshot: decoder.snapshot() });
  }
  for (const output of outputs) agentOutputSchema.parse(output);
  return outputs;
}

const play = (lines: readonly (LogRecord | string)[], writer?: "driver" | "native") => read(lines.map(toLine), writer);
const text: LogRecord = { type: "text", mode: "whole", text: "hi", messageId, index: 0, at: 1 };

describe("[X15] records and lines", () => {
  it("each record is read, between the agent's lines as the agent printed them", async () => {
    const lines = [head, { type: "notice", text: "Look out." } as const, started, "one", { type: "notice", text: "New." } as const, "two"];
    const outputs = await play([...lines, { type: "end", status: "success" }]);
    expect(outputs).toMatchObject([
      { type: "notice", text: "Look out.", code: "before-agent" },
      agentLine("one"),
      { type: "notice", text: "New.", at: 7 },
      agentLine("two"),
      { type: "end", status: "success", at: 7 },
    ]);
    expect(await play([head, started, text, { type: "end", status: "success", at: 3 }], "native")).toEqual([
      text,
      { type: "end", status: "success", at: 3 },
    ]);
  });

  it("[E9] the usage of the session before the execution reaches the agent's decoder, and is no output", async () => {
    const received: unknown[] = [];
    const createDecoder = () => ({ ...echo(), setUsageBefore: (usage: unknown) => void received.push(usage) });
    const decoder = await createLogDecoder({ createDecoder, recordWriter: "driver" }, { executionId });
    const usageBefore: LogRecord = { type: "usage-before", usage: { inputTokens: 100 } };
    const outputs = [head, started, usageBefore].map(toLine).flatMap((text, offset) => decoder.decode({ text, offset, at: 7 }));
    expect(outputs).toEqual([]);
    expect(received).toEqual([{ inputTokens: 100 }]);
    expect(await play([head, usageBefore])).toMatchObject([{ type: "raw" }]);
  });

  it("no line of an agent is a record, whatever it begins with", async () => {
    const forged = encodeLogRecord({ type: "session", sessionId: "s" });
    for (const line of [forged, `\u001e${forged}`, "\u001e", "\u001e\u001e", '{"skein":{"type":"end","status":"failed"}}', "null"]) {
      expect(await play([head, started, line])).toEqual([agentLine(line)]);
    }
  });

  it.each([
    ["null", "null"],
    ["no JSON", "{"],
    ["an unknown type", '{"type":"grant"}'],
    ["one without its fields", '{"type":"user-message"}'],
    ["a session that would be an option", '{"type":"session","sessionId":"--dangerously-skip-permissions"}'],
    ["JSON nested 100,000 deep", `{"type":"notice","text":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ])("[Q13] a record that is %s is shown, and the rest is read", async (_, json) => {
    const outputs = await read([encodeLogRecord(head), encodeLogRecord(started), `\u001e${json}`, "two"]);
    expect(outputs).toMatchObject([
      { type: "raw", text: `\u001e${json}`, reason: expect.stringContaining("not a record") },
      agentLine("two"),
    ]);
  });

  it.each<[string, LogRecord[], "driver" | "native"]>([
    ["what the runner reports before the agent, after it", [started, { type: "setup-started", script: "x" }], "driver"],
    ["a second head", [started, head], "driver"],
    ["a second start of the agent", [started, started], "driver"],
    ["a driver's record before the agent", [{ type: "session", sessionId: "s" }], "driver"],
    ["an approval from a driver", [started, { type: "approval-request", toolUseId: "t", toolName: "x", input: {}, at: 1 }], "driver"],
    ["words from a driver", [started, text], "driver"],
    ["a session of the native agent", [started, { type: "session", sessionId: "s" }], "native"],
    ["a second end", [started, { type: "end", status: "success" }, { type: "end", status: "failed" }], "driver"],
  ])("[Q13] %s is shown, not obeyed", async (_, records, writer) => {
    expect((await play([head, ...records], writer)).at(-1)).toMatchObject({ type: "raw" });
  });
});

describe("the log of an execution that an earlier release started", () => {
  it("[Q7] is read as that release wrote it, also after a restart", async () => {
    const lines = [
      '{"skein":"notice","text":"Look out."}',
      '{"skein":"setup-started","script":"x"}',
      '{"skein":"agent"}',
      "one",
      '{"skein":{"type":"session","sessionId":"ses_1"}}',
      '{"skein":{"type":"end","status":"success"}}',
    ];
    expect(await read(lines)).toMatchObject([
      { type: "notice", code: "before-agent" },
      { type: "tool-use", toolName: "setup" },
      agentLine("one"),
      { type: "session", sessionId: "ses_1" },
      { type: "end", status: "success" },
    ]);
    expect(await read([JSON.stringify(text), "junk"], "native")).toEqual([text, agentLine("junk")]);
  });

  it("[Q7] what that release had stored is continued", async () => {
    const snapshot = { isBefore: false, agent: "its own" };
    const decoder = await createLogDecoder({ createDecoder: echo, recordWriter: "driver" }, { executionId, snapshot });
    const line = { text: '{"skein":{"type":"end","status":"success"}}', offset: 900, at: 7 };
    expect(decoder.decode(line)).toEqual([{ type: "end", status: "success", at: 7 }]);
  });

  it.each(['{"skein":null}', '{"skein":{"type":"user-message"}}', '{"skein":{"type":"session","sessionId":"-x"}}', '{"skein":'])(
    "[Q13] %s is left to the agent's decoder",
    async (line) => expect(await read(["one", line, "two"])).toEqual([agentLine("one"), agentLine(line), agentLine("two")]),
  );
});
