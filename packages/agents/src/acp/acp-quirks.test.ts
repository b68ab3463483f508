import type { AgentOutput, JsonValue } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { executionId, playLines } from "../recordings/play-recording.fixture.ts";
import { readTwoWayRecording, toLogLines } from "../recordings/read-recording.fixture.ts";
import { createAcpDecoder } from "./create-acp-decoder.ts";

const play = (...lines: object[]) => playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createAcpDecoder);
const playRecording = (name: string) => playLines(readTwoWayRecording("acp", `${name}.ndjson`), createAcpDecoder);
const update = (body: object) => ({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: body } });
const chunk = (text: string, kind = "agent_message_chunk") => update({ sessionUpdate: kind, content: { type: "text", text } });
const call = (fields: object) => update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "other", ...fields });
const callUpdate = (fields: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...fields });
const prompt = { jsonrpc: "2.0", id: 3, method: "session/prompt", params: { sessionId: "s", prompt: [] } };
const answer = (result: JsonValue, id = 3) => ({ jsonrpc: "2.0", id, result });
const permission = (toolCall: object) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "session/request_permission",
  params: {
    toolCall: { toolCallId: "c", title: "Look", kind: "other", ...toolCall },
    options: [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ],
  },
});
const ends = (outputs: readonly AgentOutput[]) => outputs.filter((output) => output.type === "end");

describe("text", () => {
  it("consecutive chunks are one text; a thought, a call or another message id starts a new one", () => {
    const { conversation } = play(
      chunk("a"),
      chunk("b"),
      chunk("t", "agent_thought_chunk"),
      chunk("c"),
      call({}),
      chunk("d"),
      update({ sessionUpdate: "agent_message_chunk", messageId: "m2", content: { type: "text", text: "e" } }),
    );
    expect(conversation.map(({ messageType, content }) => `${messageType} ${content}`)).toEqual([
      "text ab",
      "thinking t",
      "text c",
      "tool_execution Look was interrupted",
      "text d",
      "text e",
    ]);
  });

  it("[T7] Copilot's report of a created file is not text of the model", () => {
    const hello = (name: string) => [{ jsonrpc: "2.0", id: 1, method: "initialize", params: {} }, answer({ agentInfo: { name } }, 1)];
    const said = [chunk("a"), chunk("Info: /repo/made.txt"), chunk("b")];
    expect(play(...hello("Copilot"), ...said).conversation).toMatchObject([{ content: "ab" }]);
    expect(play(...hello("Other"), ...said).conversation[0]?.content).toContain("Info: /repo/made.txt");
  });

  it("[E5] Copilot's reports of an unreachable provider are one notice, then the reason", () => {
    const lines = [
      chunk("Info: Response was interrupted due to a server error. Retrying..."),
      chunk("Error: Could not connect to local model provider at http://127.0.0.1:1/v1.\n  Check that the service is running."),
    ];
    const { conversation, outputs } = play(
      { jsonrpc: "2.0", id: 1, method: "initialize", params: {} },
      answer({ agentInfo: { name: "Copilot" } }, 1),
      prompt,
      ...lines,
      answer({ stopReason: "end_turn" }),
    );
    expect(conversation.map(({ messageType }) => messageType)).toEqual(["notice"]);
    expect(ends(outputs)).toMatchObject([
      { status: "failed", reason: expect.stringMatching(/^Could not connect to local model provider/) },
    ]);
  });

  it("updates of usage and lists do not split a text", () => {
    const { conversation } = play(
      chunk("a"),
      update({ sessionUpdate: "usage_update", used: 1, size: 2 }),
      update({ sessionUpdate: "available_commands_update", availableCommands: [] }),
      update({ sessionUpdate: "of_the_future" }),
      chunk("b"),
    );
    expect(conversation).toMatchObject([{ content: "ab" }]);
  });

  it("a mode change that is sent as text (Gemini CLI) is a notice like one that is sent as an update", () => {
    const { conversation } = play(chunk("[MODE_UPDATE] yolo"), update({ sessionUpdate: "current_mode_update", currentModeId: "plan" }));
    expect(conversation).toMatchObject([
      { messageType: "notice", content: "The agent's mode is now yolo." },
      { messageType: "notice", content: "The agent's mode is now plan." },
    ]);
  });

  it("blank lines before a thought create no text", () => {
    const { conversation } = play(chunk("\n\n", "agent_thought_chunk"), chunk("Idea", "agent_thought_chunk"));
    expect(conversation).toMatchObject([{ messageType: "thinking", content: "Idea" }]);
  });
});

describe("tool calls", () => {
  it("[T3] an update without a preceding call creates the call", () => {
    const { conversation } = play(
      callUpdate({ status: "completed", title: "Look", content: [{ type: "content", content: { type: "text", text: "seen" } }] }),
    );
    expect(conversation).toMatchObject([{ content: "Look", metadata: { state: "completed", output: "seen" } }]);
  });

  it("[T1] input that arrives after the call becomes the input of the card and of the model's history", () => {
    const { conversation, messages } = play(call({ name: "Read", rawInput: {} }), callUpdate({ rawInput: { file_path: "/a" } }));
    expect(conversation).toMatchObject([{ metadata: { input: { file_path: "/a" } } }]);
    expect(messages[0]?.body).toMatchObject({ toolCalls: [{ function: { name: "Read", arguments: '{"file_path":"/a"}' } }] });
  });

  it.each([
    [
      "a title of one word is no name where the kind says more",
      { title: "a", kind: "execute", rawInput: { command: "touch a.txt" } },
      "Ran touch a.txt",
    ],
    [
      "a known name in the title is one",
      { title: "glob", kind: "search", rawInput: { pattern: "*.ts" } },
      "Looked for files matching *.ts",
    ],
    ["a title of one word is a name where nothing else names it", { title: "deploy", rawInput: {} }, "Called deploy"],
    ["a read without a path is shown by its title", { title: "**/*.ts", kind: "read" }, "Read **/*.ts"],
    ["a search without a title searched files", { title: ".", kind: "search" }, "Searched files"],
    ["Gemini CLI's ids name its tools", { toolCallId: "list_directory__list_directory_17_0", title: ".", kind: "search" }, "Listed files"],
    [
      "the file that a command reads is named",
      { name: "exec_command", title: "Read file 'a'", kind: "read", locations: [{ path: "/a" }] },
      "Read /a",
    ],
  ])("[T8] %s", (_, fields, content) => {
    const ended = update({
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      ...("toolCallId" in fields ? { toolCallId: fields.toolCallId } : {}),
    });
    expect(play(call(fields), ended).conversation).toMatchObject([{ content }]);
  });

  it("[T8] a call of a tool that opencode does not have is shown as failed, whatever its status", () => {
    const invalid = { title: "invalid", rawInput: { tool: "no_such_tool", error: "unavailable tool" } };
    const { conversation } = play(call({ title: "no_such_tool", rawInput: {} }), callUpdate(invalid), callUpdate({ status: "completed" }));
    expect(conversation).toMatchObject([{ content: "no_such_tool failed", metadata: { toolName: "no_such_tool", state: "failed" } }]);
  });

  it("[T6] input that arrives after the message has ended creates no second card", () => {
    const { conversation } = play(call({ name: "Read", rawInput: {} }), chunk("meanwhile"), callUpdate({ rawInput: { file_path: "/a" } }));
    expect(conversation.filter((message) => message.messageType === "tool_execution")).toHaveLength(1);
  });

  it("[Q3] updates of a call that has ended are ignored", () => {
    const { conversation } = play(call({}), callUpdate({ status: "completed" }), callUpdate({ status: "failed", rawOutput: "late" }));
    expect(conversation).toMatchObject([{ metadata: { state: "completed", output: "" } }]);
  });

  it("[E10] a permission request that arrives before its call creates the call", () => {
    const { outputs, conversation } = play(permission({ kind: "execute", title: "ls -1" }));
    expect(outputs).toMatchObject([
      { type: "tool-use", toolUseId: "r1_c", toolName: "execute", input: { command: "ls -1" } },
      { type: "approval-request", toolUseId: "r1_c", requestId: '{"id":7,"options":{"allow":"yes","allow-always":"yes","deny":"no"}}' },
    ]);
    expect(conversation).toMatchObject([{ content: "Running ls -1 was interrupted" }]);
  });

  it("[E10] the input in a permission request does not replace the tool's own", () => {
    const { conversation } = play(
      call({ name: "write", rawInput: { filePath: "/a", content: "x" } }),
      permission({ rawInput: { diff: "…" } }),
    );
    expect(conversation).toMatchObject([{ metadata: { input: { filePath: "/a", content: "x" } } }]);
  });

  it("[E10] the tool's own input, if it arrives later, replaces the one of the permission request", () => {
    const { conversation } = play(
      call({ name: "write", rawInput: {} }),
      permission({ rawInput: { diff: "…" } }),
      callUpdate({ rawInput: { filePath: "/a" } }),
    );
    expect(conversation).toMatchObject([{ metadata: { input: { filePath: "/a" } } }]);
  });

  it("[T5] if an agent sends no update after a denial, the call ends with its execution", () => {
    const { conversation } = playRecording("gemini-acp-permission");
    expect(conversation.filter((message) => message.messageType === "tool_execution").map(({ metadata }) => metadata.state)).toEqual([
      "completed",
      "interrupted",
      "completed",
      "completed",
    ]);
  });

  it("[T7] a diff of several files keeps every file", () => {
    const diff = (path: string, oldText: string | null, newText: string) => ({ type: "diff", path, oldText, newText });
    const { conversation } = play(
      call({ kind: "edit", content: [diff("/new", null, "n\n"), diff("/old", "a\nb\n", "a\nc\n")] }),
      callUpdate({ status: "completed" }),
    );
    expect(conversation).toMatchObject([
      {
        metadata: {
          toolName: "file_change",
          details: {
            type: "diff",
            data: { filePath: "/new", change: "created", otherFiles: [{ filePath: "/old", hunks: [{ lines: [" a", "-b", "+c"] }] }] },
          },
        },
      },
    ]);
  });

  it("[T7] codex-acp's terminal output is shown while it runs and kept at the end, with the exit code", () => {
    const delta = (data: string) => callUpdate({ _meta: { terminal_output_delta: { data } } });
    const { outputs, conversation } = play(
      call({ name: "exec_command", kind: "execute", rawInput: { command: "make" } }),
      delta("one\n"),
      delta("two\n"),
      callUpdate({ status: "failed", _meta: { terminal_exit: { exit_code: 2, signal: null } } }),
    );
    expect(outputs.filter((output) => output.type === "tool-progress")).toMatchObject([{ text: "one\n" }, { text: "two\n" }]);
    expect(conversation).toMatchObject([{ metadata: { state: "failed", output: "one\ntwo\n", details: { data: { exitCode: 2 } } } }]);
  });

  it("[T7] opencode's output grows from update to update and is shown once", () => {
    const running = (text: string) =>
      callUpdate({ status: "in_progress", kind: "execute", content: [{ type: "content", content: { type: "text", text } }] });
    const { outputs } = play(call({ kind: "execute" }), running("one\n"), running("one\ntwo\n"));
    expect(outputs.filter((output) => output.type === "tool-progress")).toMatchObject([{ text: "one\n" }, { text: "two\n" }]);
  });

  it("[T5] a command that was cancelled gets no end from codex-acp", () => {
    const { conversation } = playRecording("codex-acp-cancel");
    expect(conversation.find((message) => message.content.includes("sleep 30"))).toMatchObject({ metadata: { state: "interrupted" } });
  });

  it("[T5] memory for calls that never end is bounded, and they are still shown", () => {
    const text = "x".repeat(50_000);
    const lines = Array.from({ length: 60 }, (_, number) =>
      update({
        sessionUpdate: "tool_call",
        toolCallId: `c${number}`,
        kind: "edit",
        content: [{ type: "diff", path: `/f${number}`, oldText: null, newText: text }],
        _meta: { terminal_output_delta: { data: text }, claudeCode: { toolResponse: { text } } },
      }),
    );
    const { conversation, decoderSize } = play(...lines);
    expect(decoderSize).toBeLessThan(400_000);
    expect(conversation).toHaveLength(60);
  });

  it("[T8] a plan is a todo list, updated only when it changes", () => {
    const plan = (status: string) => update({ sessionUpdate: "plan", entries: [{ content: "Write", status, priority: "high" }] });
    const { conversation } = play(plan("pending"), plan("pending"), plan("completed"));
    expect(conversation.map(({ content }) => content)).toEqual(["Updated todo list (0/1 done)", "Updated todo list (1/1 done)"]);
  });
});

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
