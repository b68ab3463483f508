import { fileURLToPath } from "node:url";
import type { ConversationMessage, PermissionMode, WaitingExecution } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { toProgramArgs } from "../../packages/host/src/program-args.ts";
import { type AgentTask, openAgentTask } from "../support/agent-task.ts";

const wait = { timeout: 40_000, interval: 200 };

/** A task whose Codex is a recording of the real one. */
function openRecording(
  name: string,
  { exitCode = 0, permissionMode = "ask" }: { exitCode?: number; permissionMode?: PermissionMode } = {},
): Promise<AgentTask> {
  const player = toProgramArgs(new URL("./replay-codex.ts", import.meta.url));
  const recording = fileURLToPath(new URL(`../../packages/agents/src/codex/__fixtures__/${name}.ndjson`, import.meta.url));
  const command = [process.execPath, ...player, recording, String(exitCode)];
  return openAgentTask({ config: { agents: { codex: { command } } }, attempt: { agent: "codex", permissionMode } });
}

function describeMessage(message: ConversationMessage): string {
  const state = message.messageType === "tool_execution" ? ` [${message.metadata.state}]` : "";
  return `${message.messageType}${state}: ${message.content}`;
}

const everything = [
  "thinking: **Planning the work**\n\nI will write a file, read it, edit it and run commands.",
  "text: I will start with a file.",
  "tool_execution [completed]: Updated todo list (0/3 done)",
  "tool_execution [completed]: Created /workspace/hello.txt",
  "tool_execution [completed]: Ran cat hello.txt",
  "thinking: **Editing**\n\nOne line must change.",
  "tool_execution [completed]: Updated todo list (1/3 done)",
  "tool_execution [completed]: Updated /workspace/hello.txt",
  "tool_execution [completed]: Ran echo ok-out; echo ok-err >&2",
  "tool_execution [failed]: Ran echo about to fail >&2; exit 3",
  "text: Now two commands at once.",
  "tool_execution [completed]: Ran echo parallel-two",
  "tool_execution [completed]: Ran sleep 1; echo parallel-one",
  "tool_execution [completed]: Updated todo list (3/3 done)",
  "tool_execution [completed]: Ran ls -1",
  "thinking: **Done**\n\nAll steps ran.",
  "text: Done: wrote, read and edited hello.txt; one command failed with code 3.",
];

test.each(["codex-appserver-full", "codex-exec-full"])("[T9] all of %s reaches the conversation", async (name) => {
  const task = await openRecording(name, { permissionMode: "full" });
  expect(await task.run("go")).toMatchObject({ status: "success", exitCode: 0 });
  expect((await task.conversation()).map(describeMessage)).toEqual(["text: go", ...everything]);
});

test("[E10] it waits for the answer to its question", async () => {
  const task = await openRecording("codex-appserver-approvals");
  const executionId = await task.send("go");
  const approval = await task.pendingApproval();
  expect((await task.conversation()).map(describeMessage).at(-1)).toBe(
    "tool_execution [running]: Running touch made-by-shell.txt && echo touched",
  );
  await task.answer(approval, { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success", usage: { inputTokens: 19_614, outputTokens: 80 } });
  expect((await task.conversation()).map(describeMessage)).toEqual([
    "text: go",
    "tool_execution [completed]: Ran touch made-by-shell.txt && echo touched",
    "text: The shell step is over.",
  ]);
});

test("[T5] a tool that was open when the turn was interrupted is marked as interrupted", async () => {
  const task = await openRecording("codex-appserver-interrupt");
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).map(describeMessage).join()).toContain("[running]"), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect((await task.conversation()).map(describeMessage).join()).toContain("[interrupted]");
});

test("a sandbox that cannot start is reported with its fix", async () => {
  const task = await openRecording("codex-appserver-no-sandbox");
  const executionId = await task.send("go");
  await task.answer(await task.pendingApproval(), { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  const notices = (await task.conversation()).map(describeMessage).filter((line) => line.startsWith("notice"));
  expect(notices).toEqual([expect.stringContaining("could not start its sandbox on this machine")]);
});

test.each([
  ["codex-exec-error-http400", "Unsupported value"],
  ["codex-exec-error-http401", expect.stringMatching(/^127\.0\.0\.1:8701 did not accept Codex's API key .* Check the key/)],
  ["codex-exec-sigint-command", "The agent ended with exit code 1."],
])("[E5] %s ends with a readable reason", async (name, reason) => {
  const task = await openRecording(name, { exitCode: 1 });
  expect(await task.run("go")).toMatchObject({ status: "failed", exitCode: 1, reason });
});

test("[E5, L3] codex-exec-error-http429 ends with a readable reason, and its message is parked", async () => {
  const task = await openRecording("codex-exec-error-http429", { exitCode: 1 });
  const reason = "The provider limits the requests of Codex. It did not say until when.";
  expect(await task.run("go")).toMatchObject({ status: "interrupted", exitCode: 1, reason });
  const held = await task.server.api.request<WaitingExecution[]>("GET", "/api/held-executions");
  const wait = { for: "provider", limit: { code: "rate-limit", resetsAt: null }, rejections: 1 };
  expect(held).toMatchObject([{ agent: "codex", execution: { attemptId: task.attempt.id, status: "running", wait } }]);
});
