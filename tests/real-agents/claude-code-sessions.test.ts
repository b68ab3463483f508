import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { bash, getAttempt, openClaudeCodeTask, sent, toSteps } from "../support/claude-code.ts";

const wait = { timeout: 90_000, interval: 200 };

test("[Q6, E3] a stop during a command leaves no process, and the next message continues in the same session", async () => {
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    script: [{ text: "Waiting.", toolCalls: [bash("touch started; (setsid sleep 300 &); sleep 300")] }, { text: "Back." }],
  });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).at(-1)).toMatchObject({ messageType: "tool_execution" }), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled", reason: "Stopped." });
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
  const { sessionId } = await getAttempt(task);

  expect(await task.run("and now?")).toMatchObject({ status: "success" });
  expect((await getAttempt(task)).sessionId).toBe(sessionId);
  expect(sent(task, 1)).toContain("Waiting.");
  expect(toSteps(await task.conversation()).map(([who, state]) => [who, state])).toEqual([
    ["user", "go"],
    ["assistant", "Waiting."],
    ["Bash", "interrupted"],
    ["system", "Stopped."],
    ["user", "and now?"],
    ["assistant", "Back."],
  ]);
});

test("[E10, E5] a question that is open when it is stopped is withdrawn", async () => {
  const task = await openClaudeCodeTask({ script: [{ toolCalls: [bash("npm prefix")] }] });
  const executionId = await task.send("go");
  const asked = await task.pendingApproval();
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect(await task.server.api.request("GET", "/api/approvals?status=pending")).toEqual([]);
  await expect(task.answer(asked, { decision: "allow" })).rejects.toThrow(/resolved/);
});

test("[E3] a session that Claude Code has lost is replaced by one with the conversation so far", async () => {
  const task = await openClaudeCodeTask({ script: [{ text: "The number is 4711." }, { text: "I know." }, { text: "Still." }] });
  await task.run("Remember a number");
  const before = (await getAttempt(task)).sessionId;
  rmSync(join(task.home, ".claude/projects"), { recursive: true });
  expect(await task.run("Which one?")).toMatchObject({ status: "success", exitCode: 0 });
  const { sessionId } = await getAttempt(task);
  expect(sessionId).not.toBe(before);
  expect(sent(task, 1)).toContain("The number is 4711.");
  expect(toSteps(await task.conversation()).slice(2)).toEqual([
    ["user", "Which one?"],
    ["system", "Claude Code no longer knows the session of this conversation. A new one was started, with the conversation so far."],
    ["assistant", "I know."],
  ]);
  await task.run("And now?");
  expect((await getAttempt(task)).sessionId).toBe(sessionId);
});

test("[E5] an API error and a rejected key fail with the reason and the remedy", async () => {
  const task = await openClaudeCodeTask({
    environment: { CLAUDE_CODE_MAX_RETRIES: "0" },
    script: ({ body }) => {
      const words = JSON.stringify((body as { messages: unknown }).messages);
      if (words.includes("TRY 3")) return { text: "Back." };
      const status = words.includes("TRY 2") ? 401 : 400;
      return { error: { status, message: status === 401 ? "invalid x-api-key" : "no such thing" } };
    },
  });
  expect(await task.run("TRY 1")).toMatchObject({ status: "failed", exitCode: 1, reason: expect.stringContaining("no such thing") });
  const rejected = expect.stringMatching(/127\.0\.0\.1:\d+ did not accept Claude Code's API key .* Check the key/);
  expect(await task.run("TRY 2")).toMatchObject({ status: "failed", exitCode: 1, reason: rejected });
  expect(await task.run("TRY 3")).toMatchObject({ status: "success" });
});

test("an agent that is not logged in is listed with what to do", async () => {
  const task = await openClaudeCodeTask({ script: [], environment: { ANTHROPIC_API_KEY: "" } });
  const { agents } = await task.server.api.request<AgentList>("GET", "/api/agents");
  expect(agents.find(({ id }) => id === "claude-code")).toMatchObject({
    available: false,
    version: expect.stringMatching(/^2\./),
    hint: expect.stringContaining("not logged in"),
  });
  expect(await task.run("go")).toMatchObject({ status: "failed", reason: expect.stringContaining("log in there") });
});

test("[Q5, Q7] when the server is killed in the middle, the next one resumes reading: nothing lost, nothing twice, and the question is still open", async () => {
  const task = await openClaudeCodeTask({
    script: [
      { text: ["One. ", "Two. ", "Three."], toolCalls: [bash("npm prefix")] },
      { text: "Before the end.", toolCalls: [bash("npm prefix; while [ ! -e gate ]; do sleep 0.05; done")] },
      { text: "After." },
    ],
  });
  const executionId = await task.send("go");
  const asked = await task.pendingApproval();
  await task.server.kill();
  await task.server.start();
  await task.answer(asked, { decision: "allow" });
  await task.answer(await task.pendingApproval(), { decision: "allow" });
  await task.server.kill();
  writeFileSync(join(task.attempt.directory, "gate"), "");
  await task.server.start();
  expect(await task.ended(executionId)).toMatchObject({ status: "success", exitCode: 0 });
  expect(toSteps(await task.conversation()).map(([who, state]) => [who, state])).toEqual([
    ["user", "go"],
    ["assistant", "One. Two. Three."],
    ["Bash", "completed"],
    ["assistant", "Before the end."],
    ["Bash", "completed"],
    ["assistant", "After."],
  ]);
  expect(task.model.requests).toHaveLength(3);
});

test("[E5, Q6] a command that it leaves running is reported, and ends with a stop; the answer stays", async () => {
  const server = { name: "Bash", arguments: { command: "sleep 300", description: "Development server", run_in_background: true } };
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    script: [{ toolCalls: [server] }, { text: "It is up." }],
  });
  const executionId = await task.send("start the server");
  const waits = "Claude Code has answered and waits for its background commands: Development server. Stopping ends them.";
  await vi.waitFor(async () => expect((await task.conversation()).map(({ content }) => content)).toContain(waits), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
});
