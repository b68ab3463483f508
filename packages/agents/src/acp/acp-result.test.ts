import { describe, expect, it } from "vitest";
import { playLines } from "../recordings/play-recording.fixture.ts";
import { toLogLines } from "../recordings/read-recording.fixture.ts";
import { call, callUpdate } from "./acp-lines.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

const text = (words: string) => [{ type: "content", content: { type: "text", text: words } }];
const command = call({ kind: "execute", title: "make", rawInput: { command: "make" } });
const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } };

function playCard(...lines: object[]) {
  const { conversation } = playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createAcpDecoder);
  const [card] = conversation;
  if (card?.messageType !== "tool_execution") throw new Error("expected a card");
  const { state, output, details } = card.metadata;
  const exitCode = details?.type === "commandOutput" ? details.data.exitCode : undefined;
  return { state, output, ...(exitCode === undefined ? {} : { exitCode }) };
}

const report = (output: string, code: number) =>
  `Command: make\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: 7`;

describe("what a command printed, and its exit code", () => {
  it.each([
    ["Qwen Code, as an object", { rawOutput: { output: "built", exitCode: 0 }, content: text(report("built", 0)) }, "built", 0],
    ["Qwen Code, with nothing printed", { rawOutput: { output: "", exitCode: 0 }, content: text(report("(empty)", 0)) }, "", 0],
    ["a report alone", { content: text(report("one\nError: two", 2)) }, "one\nError: two", 2],
    ["Copilot", { rawOutput: { content: "built\n<shellId: 1 completed with exit code 3>" } }, "built", 3],
    [
      "Copilot, as an object",
      { rawOutput: { content: "built\n<shellId: 1 completed with exit code 3>", contents: [{ type: "shell_exit", exitCode: 3 }] } },
      "built",
      3,
    ],
    ["Codex", { rawOutput: { aggregated_output: "built\n", stdout: "", exit_code: 4 } }, "built\n", 4],
    ["a list of blocks", { rawOutput: { content: [{ type: "text", text: "built" }], exitCode: 0 } }, "built", 0],
    ["an empty raw output and content", { rawOutput: "", content: text("built") }, "built", null],
    ["an empty object and content", { rawOutput: {}, content: text("built") }, "built", null],
    ["nothing at all", {}, "", null],
    ["a form that nobody knows", { rawOutput: { lines: ["built"] } }, '{\n  "lines": [\n    "built"\n  ]\n}', null],
  ])("[T7] %s", (_, end, output, exitCode) => {
    expect(playCard(command, callUpdate({ status: "completed", ...end }))).toEqual({ state: "completed", output, exitCode });
  });

  it("[T7] `terminal_output` is added up and shown while it runs, and pi's own last line is read", () => {
    const print = (data: string) => callUpdate({ status: "in_progress", _meta: { terminal_output: { terminal_id: "t", data } } });
    const end = (data: string) => ({ terminal_output: { data }, terminal_exit: { exit_code: 1, signal: null } });
    const failed = callUpdate({ status: "failed", _meta: end("\n\nCommand exited with code 3") });
    expect(playCard(command, print("one\n"), print("one\n"))).toMatchObject({ state: "interrupted", output: "one\none\n" });
    expect(playCard(command, print("one\n"), print("two\n"), failed)).toEqual({ state: "failed", output: "one\ntwo\n", exitCode: 3 });
    const words = callUpdate({ status: "completed", _meta: { terminal_output: { data: "Command exited with code 3" } } });
    expect(playCard(command, words)).toMatchObject({ state: "completed", output: "Command exited with code 3" });
  });

  it("[T7] updates with only content are the output of Copilot's command", () => {
    const printed = [callUpdate({ content: text("one\n") }), callUpdate({ content: text("one\ntwo\n") })];
    expect(playCard(command, ...printed)).toMatchObject({ output: "one\ntwo\n" });
    const described = callUpdate({ rawInput: { command: "make" }, content: text("Builds it") });
    expect(playCard(command, described)).toMatchObject({ output: "" });
  });

  it("[T7] a command that only reads has its command, output and exit code", () => {
    const cat = call({ kind: "read", title: "Read a.txt", rawInput: { command: ["bash", "-lc", "cat a.txt"] } });
    const end = callUpdate({ status: "failed", rawOutput: { aggregated_output: "no such file\n", exit_code: 1 } });
    expect(playCard(cat, end)).toEqual({ state: "failed", output: "no such file\n", exitCode: 1 });
  });
});

describe("why a call failed", () => {
  it.each([
    ["a message", { rawOutput: { message: "Path does not exist", code: "failure" } }, "Path does not exist"],
    ["a nested error", { rawOutput: { error: { message: "Path does not exist" } } }, "Path does not exist"],
    ["the longer of two texts", { rawOutput: "Not found.", content: text("Not found: /a/b") }, "Not found: /a/b"],
    ["the raw text of what is between fences", { rawOutput: "Not found", content: text("```\nNot found\n```") }, "Not found"],
  ])("[T8] %s", (_, end, output) => {
    expect(playCard(call({ kind: "read" }), callUpdate({ status: "failed", ...end }))).toEqual({ state: "failed", output });
  });
});

describe("how a call ended", () => {
  const rejected = { status: "failed", rawOutput: { message: "The user rejected this tool call.", code: "rejected" } };
  const qwenDenial = { status: "failed", content: text('Tool "edit" was canceled by the user.') };
  const opencodeAborted = { error: "Tool execution aborted", metadata: { output: "begun\n", interrupted: true } };
  const stopped = { output: "begun", exitCode: 0, signal: 15, outcome: "cancelled" };
  it.each([
    ["Copilot's rejection", [callUpdate(rejected)], { state: "denied" }],
    ["Qwen Code's denial", [callUpdate(qwenDenial)], { state: "denied" }],
    [
      "Claude Code's words of a denial after a stop",
      [
        cancel,
        callUpdate({ status: "failed", rawOutput: "The user doesn't want to proceed with this tool use. The tool use was rejected" }),
      ],
      { state: "interrupted" },
    ],
    [
      "opencode's interrupted command",
      [callUpdate({ status: "failed", content: text("Tool execution aborted"), rawOutput: opencodeAborted })],
      { state: "interrupted", output: "begun\n" },
    ],
    ["a failure after a stop", [cancel, callUpdate({ status: "failed" })], { state: "interrupted" }],
    ["a command without an exit code after a stop", [cancel, callUpdate({ status: "completed" })], { state: "interrupted" }],
    ["a command that had ended", [cancel, callUpdate({ status: "completed", rawOutput: { exitCode: 0 } })], { state: "completed" }],
    [
      "Qwen Code's cancelled command",
      [cancel, callUpdate({ status: "failed", content: text("discarded"), rawOutput: stopped })],
      { state: "interrupted", output: "begun", exitCode: null },
    ],
    [
      "pi's aborted command",
      [callUpdate({ status: "failed", _meta: { terminal_output: { data: "begun\n\n\nCommand aborted" } } })],
      { state: "interrupted", output: "begun\n", exitCode: null },
    ],
  ])("[T5, E10] %s", (_, lines, expected) => {
    expect(playCard(command, ...lines)).toMatchObject(expected);
  });

  it("[T5] a stop applies to the prompt that it ended", () => {
    const next = { jsonrpc: "2.0", id: 4, method: "session/prompt", params: { sessionId: "s" } };
    expect(playCard(cancel, next, command, callUpdate({ status: "failed" }))).toMatchObject({ state: "failed" });
  });
});

describe("the diff of an edit", () => {
  const edit = { kind: "edit", title: "Edit a", rawInput: { path: "/a", old_str: "x\n", new_str: "y\n" } };
  const diff = (oldText: string, newText: string) => [{ type: "diff", path: "/a", oldText, newText }];
  function playDiff(fields: object, end: object) {
    const lines = [call(fields), callUpdate({ status: "completed", ...end })];
    const { conversation } = playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createAcpDecoder);
    const [card] = conversation;
    return card?.messageType === "tool_execution" && card.metadata.details?.type === "diff" ? card.metadata.details.data : undefined;
  }

  it("[T7] replaced text is not assumed to start at line 1", () => {
    const content = diff("x\n", "y\n");
    const hunk = { oldStart: 0, newStart: 0, lines: ["-x", "+y"] };
    expect(playDiff(edit, { content })).toMatchObject({ scope: "snippet", hunks: [hunk] });
    const detailedContent = "\n--- a/a\n+++ b/a\n@@ -7,1 +7,1 @@\n-x\n+y\n";
    expect(playDiff(edit, { content, rawOutput: { content: "done", detailedContent } })).toMatchObject({
      hunks: [{ oldStart: 7, newStart: 7 }],
    });
  });

  it("[T7] a diff of the whole file has its lines, whatever the tool is called", () => {
    const whole = diff("1\n2\n3\n4\nx\n", "1\n2\n3\n4\ny\n");
    expect(playDiff({ ...edit, title: "edit" }, { content: whole })).toMatchObject({
      scope: "file",
      hunks: [{ oldStart: 2, newStart: 2 }],
    });
  });

  it("[T7] Codex's changes by path have the lines of the file", () => {
    const changes = {
      "/a": { type: "update", unified_diff: "@@ -7 +7 @@\n-x\n+y\n", move_path: null },
      "/b": { type: "add", content: "b\n" },
    };
    const shown = playDiff(
      { kind: "edit", rawInput: { changes } },
      { content: diff("w\nx\n", "w\ny\n"), rawOutput: { changes, stdout: "Success" } },
    );
    expect(shown).toMatchObject({ filePath: "/a", hunks: [{ oldStart: 7 }], otherFiles: [{ filePath: "/b", change: "created" }] });
  });

  it("[T7] a file without old text is a new file", () => {
    expect(playDiff({ kind: "edit" }, { content: diff("", "y\n") })).toMatchObject({ change: "created" });
  });
});
