import type { AgentOutput } from "@skein/contracts";
import { formatText } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { executionId, playLines } from "../recordings/play-recording.fixture.ts";
import { readRecording, readTwoWayRecording, toLogLines } from "../recordings/read-recording.fixture.ts";
import { createCodexAppServerDecoder } from "./create-codex-app-server-decoder.ts";
import { createCodexDecoder } from "./create-codex-decoder.ts";
import { createCodexExecDecoder } from "./create-codex-exec-decoder.ts";
import { explainCodexFailure } from "./explain-codex-failure.ts";

const exec = (...lines: object[]) => playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createCodexExecDecoder);
const appServer = (...lines: object[]) => playLines(toLogLines(lines.map((line) => JSON.stringify(line))), createCodexAppServerDecoder);
const ends = (outputs: readonly AgentOutput[]) => outputs.filter((output) => output.type === "end");

describe("codex exec", () => {
  it("[T6] item ids start again in every run: the execution is part of every id", () => {
    const line = { id: "item_0", type: "command_execution", command: "ls", status: "in_progress" };
    const [log] = toLogLines([JSON.stringify({ type: "item.started", item: line })]);
    if (log === undefined) throw new Error("no line");
    const ids = ["exe_a", "exe_b"].map((id) => {
      const [output] = createCodexExecDecoder({ executionId: id as typeof executionId }).decode(log);
      return output?.type === "tool-use" ? [output.toolUseId, output.messageId] : [];
    });
    expect(ids).toEqual([
      ["a_item_0", "msg_a_o0"],
      ["b_item_0", "msg_b_o0"],
    ]);
  });

  it("[E5] an error is not the end: turn.failed is", () => {
    const { outputs } = playLines(readRecording("codex", "codex-exec-error-http500.ndjson"), createCodexExecDecoder);
    expect(outputs.map((output) => output.type)).toEqual(["session", "notice", "notice", "end"]);
    expect(ends(outputs)).toMatchObject([{ status: "failed", reason: expect.stringContaining("high demand") }]);
  });

  it("only the message of a JSON error is shown", () => {
    const { outputs } = playLines(readRecording("codex", "codex-exec-error-http400.ndjson"), createCodexExecDecoder);
    expect(ends(outputs)).toMatchObject([{ reason: "Unsupported value" }]);
  });

  it.each(["codex-exec-error-config", "codex-exec-not-git", "codex-exec-resume-unknown"])(
    "[E5] %s says nothing, so there is no end",
    (name) => {
      expect(playLines(readRecording("codex", `${name}.ndjson`), createCodexExecDecoder).outputs).toEqual([]);
    },
  );

  it("[T5] an interrupted run has no end: its command is interrupted", () => {
    const { outputs, conversation } = playLines(readRecording("codex", "codex-exec-sigint-command.ndjson"), createCodexExecDecoder);
    expect(ends(outputs)).toEqual([]);
    expect(conversation.at(-1)).toMatchObject({ messageType: "tool_execution", metadata: { state: "interrupted" } });
  });

  it("[E9] a resumed thread reports its total: earlier usage is subtracted", () => {
    const decoder = createCodexExecDecoder({ executionId });
    decoder.setUsageBefore({ inputTokens: 95_891, outputTokens: 360, cacheReadTokens: 1152 });
    const outputs = readRecording("codex", "codex-exec-resume-id.ndjson").flatMap((line) => decoder.decode(line));
    expect(ends(outputs)).toMatchObject([{ usage: { inputTokens: 11_472, outputTokens: 40, cacheReadTokens: 128 } }]);
  });

  it("[T6] a web search, whose JSON has the key `id` twice, is one card", () => {
    const lines = ["item.started", "item.completed"].map(
      (type) =>
        `{"type":"${type}","item":{"id":"item_4","type":"web_search","id":"ws_1","query":"skein","action":{"type":"search","query":"skein"}}}`,
    );
    const { conversation } = playLines(toLogLines(lines), createCodexExecDecoder);
    expect(conversation).toMatchObject([{ content: "Searched the web for skein", metadata: { state: "completed", toolUseId: "r1_ws_1" } }]);
  });

  it("[T7] a failed command keeps its exit code, and is shown without the shell around it", () => {
    const { conversation } = playLines(readRecording("codex", "codex-exec-full.ndjson"), createCodexExecDecoder);
    expect(conversation.find((message) => message.content.includes("exit 3"))).toMatchObject({
      content: "Ran echo about to fail >&2; exit 3",
      metadata: { state: "failed", details: { type: "commandOutput", data: { command: "echo about to fail >&2; exit 3", exitCode: 3 } } },
    });
  });

  it("[T8] an MCP call is shown with its server, its text and its failure", () => {
    const call = { id: "item_1", type: "mcp_tool_call", server: "files", tool: "stat", arguments: { path: "/a" } };
    const { conversation } = exec(
      { type: "item.started", item: { ...call, status: "in_progress" } },
      { type: "item.completed", item: { ...call, status: "completed", result: { content: [{ type: "text", text: "12 bytes" }] } } },
      { type: "item.completed", item: { ...call, id: "item_2", status: "failed", error: { message: "no such file" } } },
    );
    expect(conversation).toMatchObject([
      {
        content: "Called files: stat",
        metadata: { toolName: "mcp__files__stat", input: { path: "/a" }, output: "12 bytes", state: "completed" },
      },
      { content: "files: stat failed", metadata: { output: "no such file", state: "failed" } },
    ]);
  });

  it("[T8] an unknown kind of item is shown with all of its fields", () => {
    const { conversation } = exec({ type: "item.completed", item: { id: "item_1", type: "hologram", shape: "cube", status: "completed" } });
    expect(conversation).toMatchObject([{ content: "Called hologram", metadata: { input: { shape: "cube" } } }]);
  });
});

describe("codex app-server", () => {
  it("[T5] an item that was open when the turn was interrupted never ends by itself", () => {
    const lines = readTwoWayRecording("codex", "codex-appserver-interrupt.ndjson");
    const { outputs, conversation } = playLines(lines, createCodexAppServerDecoder);
    expect(outputs.filter((output) => output.type === "tool-result")).toEqual([]);
    expect(ends(outputs)).toMatchObject([{ status: "cancelled" }, { status: "cancelled" }]);
    expect(conversation.find((message) => message.messageType === "tool_execution")).toMatchObject({ metadata: { state: "interrupted" } });
  });

  it("[E10] a question names its call and the id to answer it with", () => {
    const lines = readTwoWayRecording("codex", "codex-appserver-approvals.ndjson");
    const { outputs } = playLines(lines, createCodexAppServerDecoder);
    expect(outputs.filter((output) => output.type === "approval-request")).toMatchObject([
      { toolUseId: "r1_call_000387", toolName: "command_execution", requestId: "0" },
      { toolUseId: "r1_call_000392", toolName: "file_change", requestId: "1", input: { changes: [{ path: "/workspace/hello.txt" }] } },
    ]);
  });

  it("[E10] a command that was declined is denied, not failed", () => {
    const item = { type: "commandExecution", id: "c", command: "ls", status: "declined", aggregatedOutput: null, exitCode: null };
    const { conversation } = appServer({ method: "item/completed", params: { item } });
    expect(conversation).toMatchObject([{ metadata: { state: "denied" } }]);
  });

  it("[E9] usage is that of the turn, also in a thread that was resumed", () => {
    const lines = readTwoWayRecording("codex", "codex-appserver-resume.ndjson");
    expect(ends(playLines(lines, createCodexAppServerDecoder).outputs)[0]).toMatchObject({
      usage: { inputTokens: 11_552, outputTokens: 40 },
    });
  });

  it("[E3] an unknown thread ends the execution with its own code, and a new one may follow", () => {
    const { outputs } = appServer(
      { id: 2, method: "thread/resume", params: { threadId: "gone" } },
      { id: 2, error: { code: -32600, message: "no rollout found for thread id gone" } },
      { id: 3, method: "thread/start", params: {} },
      { id: 3, result: { thread: { id: "new" }, model: "gpt" } },
    );
    expect(outputs).toMatchObject([
      { type: "end", status: "failed", code: "session-not-found" },
      { type: "session", sessionId: "new", model: "gpt" },
    ]);
  });

  it("[E5] a request that fails, or a turn that does, ends the execution with its reason", () => {
    const failed = { id: "t", status: "failed", error: { message: '{"error":{"message":"Unsupported value"}}' } };
    expect(ends(appServer({ method: "turn/completed", params: { turn: failed } }).outputs)).toMatchObject([
      { status: "failed", reason: "Unsupported value" },
    ]);
    expect(ends(appServer({ id: 3, error: { code: -32600, message: "bad turn" } }).outputs)).toMatchObject([{ reason: "bad turn" }]);
  });

  it("[T7] output is shown while a command runs", () => {
    const item = { type: "commandExecution", id: "c", command: "make", status: "inProgress" };
    const { conversation } = appServer(
      { method: "item/started", params: { item } },
      { method: "item/commandExecution/outputDelta", params: { itemId: "c", delta: "one\n" } },
      { method: "item/commandExecution/outputDelta", params: { itemId: "c", delta: "two\n" } },
    );
    expect(conversation).toMatchObject([{ metadata: { output: "one\ntwo\n", state: "interrupted" } }]);
  });

  it("paragraphs of a thought are separated", () => {
    const delta = (text: string) => ({ method: "item/reasoning/summaryTextDelta", params: { itemId: "r", delta: text } });
    const part = (summaryIndex: number) => ({ method: "item/reasoning/summaryPartAdded", params: { itemId: "r", summaryIndex } });
    const { conversation } = appServer(part(0), delta("First."), part(1), delta("Second."));
    expect(conversation).toMatchObject([{ messageType: "thinking", content: "First.\n\nSecond." }]);
  });

  it("[E10] a second question about one item, after the sandbox blocked it, is a separate question", () => {
    const ask = (id: number) => ({ id, method: "item/commandExecution/requestApproval", params: { itemId: "c", command: "touch /x" } });
    const { outputs } = appServer(ask(0), ask(1));
    expect(outputs).toMatchObject([
      { type: "approval-request", toolUseId: "r1_c", requestId: "0" },
      { type: "approval-request", toolUseId: "r1_c_1", requestId: "1" },
    ]);
  });

  it("[E5] a message that arrives too late, or a stop, does not fail the turn", () => {
    const refused = (id: number, method: string) => [
      { id, method, params: {} },
      { id, error: { code: -32600, message: "no active turn" } },
    ];
    const lines = ["turn/steer", "turn/interrupt", "account/read"].flatMap((method, index) => refused(index, method));
    expect(appServer(...lines).outputs).toEqual([]);
  });

  it("[E3, E5] a subagent's thread is neither the session nor the end, and its text is not the agent's answer", () => {
    const item = (type: string, more: object) => ({ threadId: "sub", item: { type, id: type, ...more } });
    const { outputs } = appServer(
      { id: 1, method: "thread/start", params: {} },
      { id: 1, result: { thread: { id: "main" }, model: "gpt" } },
      { method: "thread/started", params: { thread: { id: "sub" } } },
      { method: "item/agentMessage/delta", params: { threadId: "sub", itemId: "m", delta: "psst" } },
      { method: "item/completed", params: item("agentMessage", { text: "psst" }) },
      {
        method: "item/completed",
        params: item("commandExecution", { command: "ls", status: "completed", aggregatedOutput: "", exitCode: 0 }),
      },
      { method: "turn/completed", params: { threadId: "sub", turn: { id: "t", status: "failed", error: { message: "no" } } } },
      { method: "turn/completed", params: { threadId: "main", turn: { id: "u", status: "completed" } } },
    );
    expect(outputs.map(({ type }) => type)).toEqual(["session", "tool-use", "tool-result", "end"]);
    expect(ends(outputs)).toMatchObject([{ status: "success" }]);
  });

  it("[E5] retries of Codex are reported; its final error is reported once, at the end", () => {
    const error = (message: string, willRetry: boolean) => ({ method: "error", params: { error: { message }, willRetry } });
    const { outputs } = appServer(error("Reconnecting... 1/5", true), error("Unsupported value", false), error("401 Unauthorized", false));
    expect(outputs).toMatchObject([
      { type: "notice", code: "agent-retry", text: "Reconnecting... 1/5" },
      { type: "notice", code: "agent-error", text: "401 Unauthorized" },
    ]);
  });

  it("[E5] retries are one notice, updated until the model responds", () => {
    const error = (message: string) => ({ method: "error", params: { error: { message }, willRetry: true } });
    const spoken = { method: "item/agentMessage/delta", params: { itemId: "a", delta: "Hello" } };
    const { conversation } = appServer(error("Reconnecting... 1/5"), error("Reconnecting... 2/5"), spoken, error("Reconnecting... 1/5"));
    const notices = conversation.filter(({ messageType }) => messageType === "notice").map(({ content }) => content);
    expect(notices).toEqual(["Reconnecting... 2/5", "Reconnecting... 1/5"]);
  });

  it("a warning is shown, except the one at every start", () => {
    const { outputs } = appServer(
      { method: "configWarning", params: { summary: "Codex could not find bubblewrap on PATH. Install it." } },
      { method: "configWarning", params: { summary: "Project-local config, hooks, and exec policies are disabled …" } },
      { method: "configWarning", params: { summary: "Invalid configuration; using defaults." } },
      { method: "warning", params: { threadId: "t", message: "Model metadata for `x` not found." } },
    );
    expect(outputs.flatMap((output) => (output.type === "notice" ? [output.text] : []))).toEqual([
      "Invalid configuration; using defaults.",
      "Model metadata for `x` not found.",
    ]);
  });
});

describe("both", () => {
  it("[Q7] the log of an old version of Codex, written by an earlier release, continues in the other format, also after a restart in between", () => {
    const lines = toLogLines(
      [
        { id: 1, method: "thread/start", params: {} },
        { id: 1, error: { message: "unknown variant `thread/start`" } },
        { type: "skein.usage-before", usage: { input_tokens: 100, output_tokens: 10 } },
        { type: "thread.started", thread_id: "t" },
        { type: "item.completed", item: { id: "item_0", type: "agent_message", text: "Hello." } },
        { type: "turn.completed", usage: { input_tokens: 150, output_tokens: 13 } },
      ].map((line) => JSON.stringify(line)),
    );
    const whole = playLines(lines, createCodexDecoder);
    expect(ends(whole.outputs).at(-1)).toMatchObject({ status: "success", usage: { inputTokens: 50, outputTokens: 3 } });
    for (let cut = 0; cut < lines.length; cut++) expect(playLines(lines, createCodexDecoder, cut)).toEqual(whole);
  });
});

describe("explainCodexFailure", () => {
  it.each([
    ["unexpected status 401 Unauthorized: Incorrect API key", "Codex is not logged in. Run: codex login"],
    [
      "Missing environment variable: `AZURE_KEY`.",
      'Codex needs AZURE_KEY, which Skein does not pass on. Add it in config.json: {"agents": {"codex": {"environment": {"AZURE_KEY": "…"}}}}',
    ],
    ["Port 4010 is in use", undefined],
  ])("%s", (reason, explained) => {
    const text = explainCodexFailure(reason);
    expect(text && formatText(text)).toBe(explained);
  });
});
