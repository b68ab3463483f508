import { describe, expect, it } from "vitest";
import { answer, call, callUpdate, chunk, ends, permission, play, playRecording, prompt, update } from "./acp-lines.fixture.ts";

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
