import { describe, expect, it } from "vitest";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { readRecording } from "../recordings/read-recording.fixture.ts";
import { createGeminiDecoder } from "./create-gemini-decoder.ts";

const play = (name: string) => playLines(readRecording("gemini", `${name}.ndjson`), createGeminiDecoder);

describe("gemini stream-json", () => {
  it("[T7] a command that exits with 3 is a success here: its exit code is not known, and not 0", () => {
    const card = play("gemini-full").conversation.find((message) => message.content.includes("exit 3"));
    expect(card).toMatchObject({ metadata: { state: "completed", details: { data: { stdout: "about to fail", exitCode: null } } } });
  });

  it("[T7] a write without output shows what was written, an edit what was replaced", () => {
    const { conversation } = play("gemini-full");
    const details = (name: string) =>
      conversation.flatMap((message) =>
        message.messageType === "tool_execution" && message.metadata.toolName === name ? [message.metadata.details] : [],
      );
    expect(details("write_file")).toMatchObject([{ type: "diff", data: { change: "created", newContent: "hello\nworld\n" } }]);
    expect(details("replace")).toMatchObject([
      { type: "diff", data: { scope: "snippet", oldContent: "world", newContent: "brave new world" } },
      undefined,
    ]);
  });

  it("[T6] results of parallel calls that arrive together end the right cards, and the calls stay one message", () => {
    const { conversation, messages } = play("gemini-full");
    const outputs = conversation.flatMap((message) =>
      message.messageType === "tool_execution" && /list_directory|glob|parallel/.test(message.metadata.toolUseId + message.content)
        ? [[message.metadata.toolName, message.metadata.output]]
        : [],
    );
    expect(outputs).toEqual([
      ["list_directory", ""],
      ["glob", "Found 1 matching file(s)"],
      ["run_shell_command", "parallel-one"],
    ]);
    const names = messages.flatMap(({ body }) => (body.role === "assistant" ? [body.toolCalls?.map((call) => call.function.name)] : []));
    expect(names).toContainEqual(["list_directory", "glob", "run_shell_command"]);
  });

  it("[T5] an interrupted run has no result: no end, and the open command is interrupted", () => {
    const { outputs, conversation } = play("gemini-sigint-group-command");
    expect(outputs.filter((output) => output.type === "end")).toEqual([]);
    expect(conversation.at(-1)).toMatchObject({ metadata: { state: "interrupted" } });
  });

  it("[E5] an API error is told as its sentence", () => {
    expect(play("gemini-error-http400").outputs.at(-1)).toMatchObject({
      type: "end",
      status: "failed",
      reason: "API key not valid. Please pass a valid API key.",
    });
  });

  it.each(["gemini-error-noauth", "gemini-resume-unknown", "gemini-untrusted"])("[E5] %s says nothing, so there is no end", (name) => {
    expect(play(name).outputs).toEqual([]);
  });

  it("[T7] a command whose tool is not offered did not run", () => {
    expect(play("gemini-auto-edit").conversation.find((message) => message.content.includes("exit 3"))).toMatchObject({
      content: "Could not run echo about to fail >&2; exit 3",
      metadata: { state: "failed", output: expect.stringContaining("not found") },
    });
  });

  it("[Q11] text that the stream cut off is marked, text that came to its end is not", () => {
    const last = (name: string) => play(name).conversation.findLast((message) => message.messageType === "text");
    expect(last("gemini-error-cut")).toMatchObject({ metadata: { interrupted: true } });
    expect(last("gemini-text")?.metadata).not.toHaveProperty("interrupted");
  });
});
