import { describe, expect, it } from "vitest";
import { executionId, playLines } from "../recordings/play-recording.fixture.ts";
import { toLogLines } from "../recordings/read-recording.fixture.ts";
import { createOpencodeServeDecoder } from "./create-opencode-serve-decoder.ts";
import { readServeRecording } from "./read-serve-recording.fixture.ts";

const event = (type: string, properties: object) => ({ id: "evt_1", type, properties: { sessionID: "ses_1", ...properties } });
const session = event("session.updated", { info: { id: "ses_1" } });
const busy = event("session.status", { status: { type: "busy" } });
const idle = event("session.idle", {});
const message = (id: string, info: object = {}) => event("message.updated", { info: { id, role: "assistant", time: {}, ...info } });
const part = (fields: object, rest: object = {}) => event("message.part.updated", { part: { messageID: "m1", ...fields }, ...rest });
const tool = (state: object, fields: object = {}) => part({ id: "prt_1", type: "tool", tool: "bash", callID: "c", state, ...fields });
const retry = (attempt: number) => event("session.status", { status: { type: "retry", attempt, message: "Overloaded", next: 0 } });
const finish = part({ type: "step-finish", reason: "stop", tokens: { input: 1, output: 2 }, cost: 0.5 });
const subagent = { type: "session.created", properties: { info: { id: "ses_2", parentID: "ses_1" } } };

const play = (...events: object[]) =>
  playLines(toLogLines([session, busy, ...events].map((value) => JSON.stringify(value))), createOpencodeServeDecoder);
const replay = (name: string) => playLines(readServeRecording(`${name}.ndjson`), createOpencodeServeDecoder);
const typesOf = ({ outputs }: ReturnType<typeof play>) => outputs.map((output) => output.type);
const endsOf = ({ outputs }: ReturnType<typeof play>) => outputs.filter((output) => output.type === "end");

describe("opencode serve", () => {
  it("[T2] the card of a call appears before its input is known, and its output while it runs", () => {
    const { outputs, conversation } = play(
      message("m1"),
      tool({ status: "pending", input: {} }),
      tool({ status: "running", input: { command: "ls" }, metadata: { output: "" } }),
      tool({ status: "running", input: { command: "ls" }, metadata: { output: "a\n" } }),
      tool({ status: "running", input: { command: "ls" }, metadata: { output: "a\nb\n" } }),
      tool({ status: "completed", input: { command: "ls" }, output: "a\nb\n", metadata: { exit: 0 } }),
    );
    expect(outputs.slice(1)).toMatchObject([
      { type: "tool-use", toolUseId: "r1_c", input: {}, index: 0 },
      { type: "tool-use", toolUseId: "r1_c", input: { command: "ls" }, index: 0 },
      { type: "tool-progress", text: "a\n" },
      { type: "tool-progress", text: "b\n" },
      { type: "tool-result", toolUseId: "r1_c", output: "a\nb\n", structured: { exitCode: 0 } },
    ]);
    expect(conversation).toMatchObject([{ content: "Ran ls", metadata: { state: "completed" } }]);
  });

  it("[T1] calls that ran at once have each their own duration", () => {
    const card = replay("opencode-serve-full").conversation.find((shown) => shown.content === "Ran sleep 1; echo parallel-one");
    expect(card?.messageType === "tool_execution" && card.metadata.state !== "running" && card.metadata.durationMs).toBeGreaterThanOrEqual(
      1000,
    );
  });

  it("[T6] one call id used for two calls gives two cards", () => {
    const ended = { status: "completed", input: { command: "ls" }, output: "", metadata: { exit: 0 } };
    const { conversation } = play(message("m1"), tool(ended), message("m2"), tool(ended, { id: "prt_2", messageID: "m2" }));
    expect(conversation.map((shown) => shown.messageType)).toEqual(["tool_execution", "tool_execution"]);
  });

  it("[T6] a call that is announced again after its end, or from an earlier execution, is not shown again", () => {
    const ended = { status: "completed", input: {}, output: "" };
    const cleared = { ...ended, time: { start: 1, end: 2, compacted: 3 } };
    const old = message("m0", { time: { completed: 1 } });
    const { conversation } = play(message("m1"), tool(ended), tool(cleared), old, tool(cleared, { id: "prt_0", messageID: "m0" }));
    expect(conversation).toHaveLength(1);
  });

  it("text is said once, whether as deltas of their own, as deltas beside the whole, or whole", () => {
    const text = (value: string, rest: object = {}) => part({ id: "prt_1", type: "text", text: value }, rest);
    const delta = (value: string) => event("message.part.delta", { messageID: "m1", partID: "prt_1", field: "text", delta: value });
    const ways = [
      [text(""), delta("Hel"), delta("lo"), text("Hello")],
      [text("Hel", { delta: "Hel" }), text("Hello", { delta: "lo" })],
      [text("Hello")],
    ];
    const modes = ways.map((way) => play(message("m1"), ...way).outputs.flatMap((output) => (output.type === "text" ? [output.mode] : [])));
    expect(modes).toEqual([["delta", "delta", "whole"], ["whole", "delta"], ["whole"]]);
    for (const way of ways) expect(play(message("m1"), ...way).conversation).toMatchObject([{ messageType: "text", content: "Hello" }]);
  });

  it("what the person said, and a summary for the model, is not said by the agent", () => {
    const said = part({ id: "prt_1", type: "text", text: "do it" });
    expect(play(message("m1", { role: "user" }), said).conversation).toEqual([]);
    expect(play(message("m1", { summary: true }), said, event("session.compacted", {})).conversation).toMatchObject([
      { messageType: "notice", content: "opencode automatically summarized the conversation." },
    ]);
  });

  it("[E3] events of other sessions are none of this execution", () => {
    const other = { sessionID: "ses_9" };
    const played = play(
      event("session.created", { ...other, info: { id: "ses_9" } }),
      event("message.updated", { ...other, info: { id: "m1", role: "assistant", sessionID: "ses_9" } }),
      event("message.part.updated", { ...other, part: { id: "p", messageID: "m1", type: "text", text: "hi" } }),
      event("permission.asked", { ...other, id: "per_9", permission: "bash" }),
      event("session.error", { ...other, error: { name: "APIError" } }),
      event("session.idle", other),
    );
    expect(played.outputs).toMatchObject([{ type: "session", sessionId: "ses_1" }]);
  });

  it("[E10] a permission is asked for the call that needs it, in the words of old and new versions", () => {
    const running = tool({ status: "running", input: { command: "git push" } });
    const asked = { id: "per_1", permission: "bash", patterns: ["git push"], metadata: {}, always: ["git push *"], tool: { callID: "c" } };
    const updated = { id: "per_1", type: "bash", pattern: "git push", title: "git push", callID: "c", metadata: {} };
    const request = { type: "approval-request", toolUseId: "r1_c", toolName: "bash", requestId: "per_1" };
    expect(play(message("m1"), running, event("permission.asked", asked)).outputs.at(-1)).toEqual({
      ...request,
      input: { patterns: ["git push"] },
      at: expect.any(Number),
    });
    expect(play(message("m1"), running, event("permission.updated", updated)).outputs.at(-1)).toEqual({
      ...request,
      input: { patterns: "git push" },
      reason: "git push",
      at: expect.any(Number),
    });
  });

  it("[E10] what a subagent asks is asked too, though nothing else of it is shown", () => {
    const played = play(
      subagent,
      event("message.updated", { sessionID: "ses_2", info: { id: "m2", role: "assistant" } }),
      event("permission.asked", { sessionID: "ses_2", id: "per_2", permission: "webfetch", patterns: ["https://example.com"] }),
      event("question.asked", { sessionID: "ses_2", id: "que_1", questions: [{ question: "Which?" }], tool: { callID: "q" } }),
      event("session.idle", { sessionID: "ses_2" }),
    );
    expect(played.outputs.slice(1)).toMatchObject([
      { type: "approval-request", toolUseId: "r1_per_2", toolName: "webfetch", requestId: "per_2" },
      { type: "approval-request", toolUseId: "r1_q", toolName: "question", requestId: "que_1", input: { questions: [{}] } },
    ]);
  });

  it("[E10] a call that the person refused is denied", () => {
    const error = "The user rejected permission to use this specific tool call.";
    expect(play(message("m1"), tool({ status: "error", input: {}, error })).conversation).toMatchObject([
      { metadata: { state: "denied" } },
    ]);
  });

  it("[E5] an end is told once, with the tokens and cost of all steps", () => {
    const status = event("session.status", { status: { type: "idle" } });
    expect(endsOf(play(message("m1"), finish, finish, status, idle))).toMatchObject([
      { status: "success", usage: { inputTokens: 2, outputTokens: 4, costUsd: 1 } },
    ]);
    expect(endsOf(replay("opencode-serve-full"))).toHaveLength(1);
  });

  it("[E5] an error fails the execution, and being idle after it is no success", () => {
    const error = event("session.error", { error: { name: "APIError", data: { message: "No credit" } } });
    expect(endsOf(play(message("m1"), error, idle))).toMatchObject([{ status: "failed", reason: "No credit" }]);
  });

  it("[E5] a session that fails before anything else is heard of it fails", () => {
    const line = JSON.stringify(event("session.error", { error: { name: "UnknownError", data: { message: "No such agent" } } }));
    expect(typesOf(playLines(toLogLines([line]), createOpencodeServeDecoder))).toEqual(["session", "end"]);
  });

  it("[E5] being stopped is cancelled, with an error or without", () => {
    const aborted = event("session.error", { error: { name: "MessageAbortedError", data: { message: "Aborted" } } });
    expect(endsOf(play(message("m1"), aborted, idle))).toMatchObject([{ status: "cancelled" }]);
    expect(endsOf(play(message("m1"), retry(1), idle))).toMatchObject([{ status: "cancelled" }]);
  });

  it("a retry keeps what was said and what ran before it", () => {
    const text = (id: string, value: string) => part({ id, type: "text", text: value });
    const ran = tool({ status: "completed", input: { command: "ls" }, output: "a", metadata: { exit: 0 } }, { id: "prt_2" });
    const { conversation } = play(message("m1"), text("prt_1", "First"), ran, retry(1), busy, text("prt_3", "Second"), finish, idle);
    expect(conversation.map((shown) => shown.content)).toEqual(["First", "Ran ls", "Second"]);
  });

  it("one notice tells of all retries of a message and when the next is due", () => {
    const delays = replay("opencode-serve-error").outputs.flatMap((output) => (output.type === "retry" ? [output.delayMs] : []));
    expect(delays).toHaveLength(4);
    for (const delayMs of delays) expect(delayMs > 1000 && delayMs < 10_000).toBe(true);
  });

  it("an image that a tool read is kept", () => {
    const data = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const attachments = [{ type: "file", mime: "image/png", url: `data:image/png;base64,${data}` }, { url: "https://example.com/a.png" }];
    expect(
      play(message("m1"), tool({ status: "completed", input: {}, output: "", attachments }, { tool: "read" })).outputs.at(-1),
    ).toMatchObject({ images: [{ type: "image", mediaType: "image/png", data }] });
  });

  it("events that are not known say nothing; a line that is no event is shown", () => {
    expect(typesOf(play({ type: "server.heartbeat" }, event("lsp.updated", {}), part({ type: "agent" })))).toEqual(["session"]);
    expect(typesOf(play({ healthy: true }, part({ type: "tool" }), part({ type: "text" })))).toEqual(["session", "raw", "raw", "raw"]);
  });

  it("an error of the server itself is shown and ends nothing", () => {
    expect(play({ type: "session.error", properties: { error: { name: "PluginError" } } }).outputs.slice(1)).toMatchObject([
      { type: "notice", text: "PluginError" },
    ]);
  });

  it("[Q13] what it remembers of calls and texts that never end is bounded", () => {
    const long = "x".repeat(2000);
    const decoder = createOpencodeServeDecoder({ executionId });
    const events = Array.from({ length: 600 }, (_, number) => [
      event("session.created", { sessionID: undefined, info: { id: `ses_${number}${long}`, parentID: "ses_1" } }),
      message(`m${number}`, { modelID: long }),
      ...["text", "tool"].map((type) =>
        part({
          id: `${type}${number}${long}`,
          messageID: `m${number}`,
          type,
          text: long,
          tool: long,
          callID: `${number}${long}`,
          state: { input: long },
        }),
      ),
    ]);
    const texts = events.map((_, number) => part({ id: `${number}${long}`, messageID: "m599", type: "text", text: long }));
    for (const line of toLogLines([session, ...events.flat(), ...texts].map((value) => JSON.stringify(value)))) decoder.decode(line);
    expect(JSON.stringify(decoder.snapshot()).length).toBeLessThan(64 * 1024);
  });
});
