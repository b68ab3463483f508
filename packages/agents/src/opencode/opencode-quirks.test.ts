import { describe, expect, it } from "vitest";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { readRecording, toLogLines } from "../recordings/read-recording.fixture.ts";
import { createOpencodeDecoder } from "./create-opencode-decoder.ts";

const play = (name: string) => playLines(readRecording("opencode", `${name}.ndjson`), createOpencodeDecoder);

const tool = (name: string, state: object) => ({
  type: "tool_use",
  sessionID: "s",
  part: { tool: name, callID: "c", messageID: "m", state },
});
const playLine = (line: object) => playLines(toLogLines([JSON.stringify(line)]), createOpencodeDecoder);

describe("opencode run", () => {
  it("[T1] a call that appears when it is over has the times of its start and end", () => {
    const card = play("opencode-run-full").conversation.find((message) => message.content === "Ran sleep 1; echo parallel-one");
    expect(card?.messageType === "tool_execution" && card.metadata.state !== "running" && card.metadata.durationMs).toBeGreaterThanOrEqual(
      1000,
    );
  });

  it("[T7] a command that failed is completed, and its exit code tells", () => {
    expect(play("opencode-run-full").conversation.find((message) => message.content.includes("exit 3"))).toMatchObject({
      metadata: { state: "completed", details: { data: { exitCode: 3 } } },
    });
  });

  it("[T7] the diff of an edit has the line numbers of the file", () => {
    expect(play("opencode-run-full").conversation.find((message) => message.content.startsWith("Updated /"))).toMatchObject({
      metadata: {
        details: { type: "diff", data: { hunks: [{ oldStart: 1, newStart: 1, lines: [" hello", "-world", "+brave new world"] }] } },
      },
    });
  });

  it("[T6] calls of one message stay together, in the order in which they ended", () => {
    const names = play("opencode-run-full").messages.flatMap(({ body }) =>
      body.role === "assistant" ? [body.toolCalls?.map((call) => call.function.name)] : [],
    );
    expect(names).toContainEqual(["bash", "glob", "bash"]);
  });

  it("[E5] there is no final event, so there is no end", () => {
    expect(play("opencode-run-full").outputs.filter((output) => output.type === "end")).toEqual([]);
  });

  it("[E9] every message carries the tokens and cost of its steps", () => {
    const usages = play("opencode-run-text").outputs.flatMap((output) => (output.type === "message-end" ? [output.usage] : []));
    expect(usages).toMatchObject([{ outputTokens: 40, reasoningTokens: 8, cacheReadTokens: 128, costUsd: 0 }]);
    const part = { type: "step_finish", part: { messageID: "m", reason: "stop", tokens: { input: 2, output: 3 }, cost: 0.5 } };
    const twice = playLines(toLogLines([JSON.stringify(part), JSON.stringify(part)]), createOpencodeDecoder);
    expect(twice.outputs.at(-1)).toMatchObject({ usage: { inputTokens: 4, outputTokens: 6, costUsd: 1 } });
  });

  it("retries say nothing but that a step starts", () => {
    expect(play("opencode-run-error-cut").outputs.map((output) => output.type)).toEqual(["session"]);
    expect(play("opencode-run-error-http500").outputs).toEqual([]);
  });

  it("an answer that reached the output limit says so", () => {
    expect(play("opencode-run-error-length").outputs.at(-1)).toMatchObject({ type: "notice", code: "output-limit" });
  });

  it("an error is shown with its sentence", () => {
    expect(play("opencode-run-error-http400").outputs).toMatchObject([{ type: "session" }, { type: "error", text: "Unsupported value" }]);
  });

  it("[E10] a call that a rule refused is denied, one that was aborted is interrupted", () => {
    const state = (error: string) => playLine(tool("write", { status: "error", input: {}, error })).conversation[0];
    expect(state("The user rejected permission to use this specific tool call.")).toMatchObject({ metadata: { state: "denied" } });
    expect(state("Tool execution aborted")).toMatchObject({ metadata: { state: "interrupted" } });
    expect(state("File not found")).toMatchObject({ metadata: { state: "failed" } });
  });

  it("a tool that does not exist has failed, though opencode calls it completed", () => {
    expect(play("opencode-run-full").conversation.find((message) => message.content.startsWith("no_such_tool"))).toMatchObject({
      content: "no_such_tool failed",
    });
  });

  it("[T7] matches of a search are listed with file and line", () => {
    const output = "Found 2 matches\n/w/a.ts:\n  Line 3: const a\n  Line 9: a()\n";
    const { conversation } = playLine(tool("grep", { status: "completed", input: { pattern: "a" }, output, metadata: { matches: 2 } }));
    expect(conversation).toMatchObject([
      {
        content: "Found 2 matches for a",
        metadata: { details: { data: { matches: [{ filePath: "/w/a.ts", line: 3, text: "const a" }, { line: 9 }] } } },
      },
    ]);
  });
});
