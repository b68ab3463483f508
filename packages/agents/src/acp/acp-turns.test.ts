import { describe, expect, it } from "vitest";
import { executionId } from "../recordings/play-recording.fixture.ts";
import { toLogLines } from "../recordings/read-recording.fixture.ts";
import { answer, chunk, ends, play, playRecording, prompt, update } from "./acp-lines.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

describe("recordings of real agents", () => {
  it.each(["claude-agent-acp-0.99.1-cancel.bidi", "codex-acp-cancel", "gemini-acp-cancel", "opencode-acp-cancel"])(
    "[E5] %s answers a cancel with cancelled",
    (name) => {
      expect(ends(playRecording(name).outputs)[0]).toMatchObject({ status: "cancelled" });
    },
  );

  it("[T7] Gemini CLI reports neither output nor exit code of a command that had a terminal: none is invented", () => {
    const { conversation } = playRecording("gemini-acp-full");
    expect(conversation.find((message) => message.content.includes("exit 3"))).toMatchObject({
      metadata: { state: "completed", details: { data: { stdout: "", exitCode: null } } },
    });
  });

  it("[E5] cancelling opencode while it retries ends the turn as if it were done", () => {
    expect(ends(playRecording("opencode-acp-error").outputs).map(({ status }) => status)).toEqual([
      "failed",
      "failed",
      "success",
      "failed",
    ]);
  });

  it("[T7] what Claude Code's tools return is read as from Claude Code itself", () => {
    const { conversation } = playRecording("claude-agent-acp-0.99.1-tools.bidi");
    expect(conversation.find((message) => message.content === "Updated /workspace/notes.txt")).toMatchObject({
      metadata: {
        details: { type: "diff", data: { hunks: [{ oldStart: 1, lines: [" alpha", "-beta", "+BETA (edited)", " gamma", " delta"] }] } },
      },
    });
  });
});

describe("the end", () => {
  it("[Q11] finished text is complete, even if other output follows; cancelled text is not", () => {
    const texts = (stopReason: string) =>
      play(prompt, chunk("words"), update({ sessionUpdate: "current_mode_update", currentModeId: "plan" }), answer({ stopReason }))
        .conversation[0];
    expect(texts("end_turn")?.metadata).not.toHaveProperty("interrupted");
    expect(texts("cancelled")).toMatchObject({ metadata: { interrupted: true } });
  });

  it.each([
    ["end_turn", { status: "success" }],
    ["cancelled", { status: "cancelled" }],
    ["refusal", { status: "failed", reason: { code: "model-declined" } }],
    ["max_tokens", { status: "failed", reason: { code: "model-reached-output-limit" } }],
    ["max_turn_requests", { status: "failed", reason: { code: "agent-reached-request-limit" } }],
    ["something_new", { status: "success" }],
  ])("[E5] %s", (stopReason, expected) => {
    expect(ends(play(prompt, answer({ stopReason })).outputs)).toMatchObject([expected]);
    expect(ends(play(answer({ stopReason })).outputs)).toMatchObject([expected]);
  });

  it.each([
    ["in `details`", { details: "No quota" }],
    ["in `message`, where `details` is empty", { details: "", message: "No quota", codex_error_info: "other" }],
    ["as text", "No quota"],
    ["in the provider's error", { error: { message: "No quota", type: "insufficient_quota" } }],
    ["in JSON that the provider sent", { message: '429 {"error":{"message":"No quota"}}' }],
    ["in a cause", { cause: { body: { error: { message: "No quota" } } } }],
  ])("[E5] an error is the end, with what its data says %s", (_, data) => {
    const error = { code: -32603, message: "Internal error", data };
    expect(ends(play(prompt, { jsonrpc: "2.0", id: 3, error }).outputs)).toMatchObject([{ status: "failed", reason: "No quota" }]);
  });

  it("[E5] an error with a message keeps it", () => {
    const error = { code: -32000, message: "Authentication required", data: { details: "see above" } };
    expect(ends(play(prompt, { jsonrpc: "2.0", id: 3, error }).outputs)).toMatchObject([{ reason: "Authentication required" }]);
  });

  it("[E5] a silent agent has one notice, updated until it produces output or ends", () => {
    const silent = (seconds: number) => update({ sessionUpdate: "skein_silence", seconds });
    const notices = (...lines: object[]) =>
      play(prompt, ...lines).conversation.flatMap(({ messageType, content }) => (messageType === "notice" ? [content] : []));
    expect(notices(silent(15), silent(20))).toEqual([expect.stringContaining("for 20 s")]);
    // lines of a replayed log are one second apart
    expect(notices(silent(15), silent(20), chunk("Hello"))).toEqual(["The model did not respond for 17 s."]);
    expect(notices(silent(15), chunk("Hello"), silent(15))).toHaveLength(2);
    const error = { jsonrpc: "2.0", id: 3, error: { code: 1, message: "429" } };
    expect(notices(silent(15), error)).toEqual([expect.stringContaining("did not respond")]);
  });

  it("[E3] a session that cannot be loaded is recognised by its error code", () => {
    const load = { jsonrpc: "2.0", id: 2, method: "session/load", params: { sessionId: "gone" } };
    expect(ends(play(load, { jsonrpc: "2.0", id: 2, error: { code: -32002, message: "Resource not found" } }).outputs)).toMatchObject([
      { status: "failed", code: "session-not-found" },
    ]);
  });

  it("an optional request that fails, such as setting a mode, does not end the execution", () => {
    const setMode = { jsonrpc: "2.0", id: 2, method: "session/set_mode", params: {} };
    const { outputs } = play(setMode, { jsonrpc: "2.0", id: 2, error: { code: -32602, message: "no such mode" } });
    expect(outputs).toMatchObject([{ type: "notice", text: "no such mode" }]);
  });

  it("[E5] HTTP errors that codex-acp sends as an answer stay text", () => {
    const { outputs, conversation } = playRecording("codex-acp-error");
    expect(ends(outputs).filter(({ status }) => status === "success")).toHaveLength(2);
    expect(conversation.filter(({ messageType }) => messageType === "text")).toHaveLength(2);
  });

  it("unknown requests and notifications are skipped", () => {
    const fs = { jsonrpc: "2.0", id: 1, method: "fs/write_text_file", params: { path: "/a", content: "x" } };
    expect(
      play(fs, { jsonrpc: "2.0", method: "_auth/status_update", params: {} }, { jsonrpc: "2.0", method: "qwen/notify/x" }).outputs,
    ).toEqual([]);
  });
});

describe("history", () => {
  const load = { jsonrpc: "2.0", id: 2, method: "session/load", params: { sessionId: "s1" } };
  const lines = [
    load,
    chunk("before"),
    answer({ modes: {} }, 2),
    { jsonrpc: "2.0", id: 4, method: "session/set_mode", params: {} },
    chunk("replayed late"),
    prompt,
    chunk("now"),
    answer({ stopReason: "end_turn" }),
  ];

  it("[T6] replayed history before the prompt is skipped, also when it arrives after the load response", () => {
    const { outputs, conversation } = play(...lines);
    expect(conversation).toMatchObject([{ content: "now" }]);
    expect(outputs[0]).toMatchObject({ type: "session", sessionId: "s1" });
    expect(playRecording("gemini-acp-load").conversation.filter(({ messageType }) => messageType !== "notice")).toHaveLength(1);
  });

  it("is shown where it is asked for", () => {
    const decoder = createAcpDecoder({ executionId, history: "show" });
    const outputs = toLogLines(lines.map((line) => JSON.stringify(line))).flatMap((line) => decoder.decode(line));
    expect(outputs.flatMap((output) => (output.type === "text" ? [output.text] : []))).toEqual(["before", "replayed late", "now"]);
  });
});

describe("subagents", () => {
  const start = (toolCallId: string, toolName: string, parent: object = {}) =>
    update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: toolName,
      kind: "other",
      rawInput: { description: toolCallId },
      _meta: { claudeCode: { toolName, ...parent } },
    });
  const end = (toolCallId: string) => update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  const words = (text: string, parentToolCallId: string) =>
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, _meta: { parentToolCallId, subagentType: "x" } });

  it("[T7] output of parallel subagents belongs to its own call, as named by Claude Code's adapter and Qwen Code", () => {
    const { conversation } = play(
      prompt,
      chunk("I delegate."),
      start("a", "Agent"),
      start("b", "Agent"),
      start("a1", "Bash", { parentToolUseId: "a" }),
      words("I am b", "b"),
      start("b1", "Bash", { parentToolUseId: "b" }),
      words("I am a", "a"),
      end("b1"),
      end("a1"),
      end("b"),
      end("a"),
      chunk("Done."),
      answer({ stopReason: "end_turn" }),
    );
    const ids = new Map(
      conversation.flatMap((one) => (one.messageType === "tool_execution" ? [[one.metadata.toolUseId, one.content]] : [])),
    );
    const shown = conversation.map((one) => {
      const parent = one.metadata !== undefined && "parentToolUseId" in one.metadata ? one.metadata.parentToolUseId : undefined;
      const state = one.messageType === "text" && one.metadata?.interrupted === true ? " (cut off)" : "";
      return `${one.content}${state}${parent === undefined ? "" : ` < ${ids.get(parent)}`}`;
    });
    expect(shown).toEqual([
      "I delegate.",
      "Ran subagent: a",
      "Ran subagent: b",
      expect.stringMatching(/ < Ran subagent: a$/),
      "I am b < Ran subagent: b",
      expect.stringMatching(/ < Ran subagent: b$/),
      "I am a < Ran subagent: a",
      "Done.",
    ]);
  });
});
