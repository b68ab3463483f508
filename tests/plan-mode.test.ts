import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Approval, Attempt } from "@skein/contracts";
import { expect, test } from "vitest";
import { type AgentTask, openAgentTask } from "./support/agent-task.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const plan = (text: string) => ({ toolCalls: [{ name: "exit_plan", arguments: { plan: text } }] });
const attemptOf = ({ server, attempt }: AgentTask) => server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`);
const has = ({ attempt }: AgentTask, name: string): boolean => existsSync(join(attempt.directory, name));

test("[E10, N3] a plan is approved with the mode that follows, also while the server was down, and with ask by older clients", async () => {
  const model = newScriptedModel([
    { toolCalls: [bash("touch evil.txt")] },
    plan("1. Write `one.txt`."),
    { toolCalls: [{ name: "write", arguments: { path: "one.txt", content: "1\n" } }] },
    { text: "Done." },
    plan("2. Write `two.txt`."),
    { toolCalls: [{ name: "write", arguments: { path: "two.txt", content: "2\n" } }] },
    { text: "Done again." },
  ]);
  const task = await openAgentTask({ attempt: { agent: "native", model, permissionMode: "plan" } });
  const first = await task.send("go");
  const asked = await task.pendingApproval();
  expect([asked.toolName, asked.input]).toEqual(["exit_plan", { plan: "1. Write `one.txt`." }]);
  await task.server.kill();
  await task.server.start();
  const answered = (await task.answer(asked, {
    decision: "allow",
    plan: { mode: "accept-edits", text: "1. Write `one.txt` only." },
  })) as Approval;
  expect(answered).toMatchObject({ status: "answered", plan: { mode: "accept-edits", text: "1. Write `one.txt` only." } });
  expect((await attemptOf(task)).permissionMode).toBe("accept-edits");
  expect(await task.ended(first)).toMatchObject({ status: "success" });
  expect([has(task, "evil.txt"), has(task, "one.txt")]).toEqual([false, true]);
  const stored = JSON.stringify(await task.server.api.messages(task.attempt.id));
  expect(stored).toContain("1. Write `one.txt` only.");

  // an answer that does not name the mode that follows
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "plan" });
  const second = await task.send("more");
  await task.answer(await task.pendingApproval(), { decision: "allow" });
  const write = await task.pendingApproval();
  expect(write).toMatchObject({ toolName: "write" });
  expect((await attemptOf(task)).permissionMode).toBe("ask");
  await task.answer(write, { decision: "allow" });
  expect(await task.ended(second)).toMatchObject({ status: "success" });
});

test("[N3] plan mode cannot be chosen for an agent without one", async () => {
  const config = { agents: { "command:echo": { command: ["/bin/cat"] } } };
  const task = await openAgentTask({ config, attempt: { agent: "command:echo" } });
  const { agents } = await task.server.api.request<{ agents: { id: string; planSupport?: string }[] }>("GET", "/api/agents");
  const support = Object.fromEntries(agents.map(({ id, planSupport }) => [id, planSupport]));
  expect(support).toMatchObject({
    native: "enforced",
    "claude-code": "own",
    codex: "own",
    gemini: "own",
    opencode: "own",
    "command:echo": "none",
  });
  const patch = task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "plan" });
  await expect(patch).rejects.toThrow(/echo has no plan mode/);
  const create = task.server.api.request("POST", `/api/tasks/${task.taskId}/attempts`, { agent: "command:echo", permissionMode: "plan" });
  await expect(create).rejects.toThrow(/echo has no plan mode/);
});
