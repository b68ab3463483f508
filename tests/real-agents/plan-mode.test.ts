import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Approval, Attempt } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import type { AgentTask } from "../support/agent-task.ts";
import { bash, openClaudeCodeTask, sent, toSteps } from "../support/claude-code.ts";
import { isLong } from "../support/long.ts";
import { findTools } from "./acp-scenarios.ts";
import { furtherAgents } from "./agents/further-agents.ts";
import { openTestedAgent } from "./agents/open-agents.ts";
import type { TestedAgent } from "./agents/tested-agent.ts";
import { lastRequest, openCodexTask, patch, shell, toLine } from "./codex/codex-task.ts";

const wait = { timeout: 90_000, interval: 200 };
const plan = "# Plan\n\n1. Write `made.txt`.\n2. Test it.";
const edited = "# Plan\n\n1. Write `made.txt`, with **two** lines.";

const has = ({ attempt }: AgentTask, name: string): boolean => existsSync(join(attempt.directory, name));
const modeOf = async ({ server, attempt }: AgentTask): Promise<string> =>
  (await server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`)).permissionMode;
const nextApproval = (task: AgentTask, previous: Approval): Promise<Approval> =>
  vi.waitFor(async () => {
    const approval = await task.pendingApproval();
    expect(approval.id).not.toBe(previous.id);
    return approval;
  }, wait);

test("[E10, N3] Claude Code plans, is answered with feedback, and carries out the edited plan in the mode of its approval", async () => {
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "plan" },
    script: [
      { toolCalls: [{ name: "ExitPlanMode", arguments: { plan: "1. Do it." } }] },
      { toolCalls: [{ name: "ExitPlanMode", arguments: { plan } }] },
      { toolCalls: [{ name: "Write", arguments: { file_path: "made.txt", content: "one\n" } }] },
      { toolCalls: [bash("npm prefix")] },
      { text: "All done." },
      { text: "Still here." },
    ],
  });
  const executionId = await task.send("plan it");
  const first = await task.pendingApproval();
  expect(first).toMatchObject({ toolName: "ExitPlanMode", input: { plan: "1. Do it." } });
  await task.answer(first, { decision: "deny", reason: "Also test it." });
  const second = await nextApproval(task, first);
  expect(second.input).toMatchObject({ plan });
  expect(sent(task, 1)).toContain("Also test it.");
  expect(await modeOf(task)).toBe("plan");

  await task.answer(second, { decision: "allow", plan: { mode: "accept-edits", text: edited } });
  expect(await modeOf(task)).toBe("accept-edits");
  // edits are accepted, commands need an approval
  const command = await nextApproval(task, second);
  expect(command).toMatchObject({ toolName: "Bash" });
  expect(has(task, "made.txt")).toBe(true);
  expect(sent(task, 2)).toContain("with **two** lines");
  await task.answer(command, { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(toSteps(await task.conversation()).map(([who, state]) => [who, state])).toEqual([
    ["user", "plan it"],
    ["ExitPlanMode", "denied"],
    ["ExitPlanMode", "completed"],
    ["Write", "completed"],
    ["Bash", "completed"],
    ["assistant", "All done."],
  ]);
  const cards = (await task.conversation()).filter((message) => message.messageType === "tool_execution");
  expect(cards[1]?.metadata.details).toEqual({ type: "plan", data: { plan: edited } });
  expect(await task.run("and now?")).toMatchObject({ status: "success" });
  expect(task.model.violations).toEqual([]);
});

test("[E10, N3] Codex plans without being able to write, and carries out the plan in the mode of its approval", async () => {
  const proposed = (text: string) => ({ text: ["Here it is.\n", `<proposed_plan>\n${text}\n</proposed_plan>\n`] });
  const task = await openCodexTask({
    attempt: { permissionMode: "plan" },
    script: [
      { ...shell("touch evil.txt; pwd"), usage: { inputTokens: 10, outputTokens: 1 } },
      { ...proposed("1. Do it."), usage: { inputTokens: 20, outputTokens: 2 } },
      { ...proposed(plan), usage: { inputTokens: 30, outputTokens: 3 } },
      { ...patch("*** Add File: made.txt", "+one"), usage: { inputTokens: 40, outputTokens: 4 } },
      { text: "All done.", usage: { inputTokens: 50, outputTokens: 5 } },
      proposed("Another plan."),
      { text: "No plan needed." },
    ],
  });
  const executionId = await task.send("plan it");
  const first = await task.pendingApproval();
  expect(first).toMatchObject({ toolName: "exit_plan", input: { plan: "1. Do it.\n" } });
  expect(has(task, "evil.txt")).toBe(false);
  await task.answer(first, { decision: "deny", reason: "Also test it." });
  const second = await nextApproval(task, first);
  expect(second.input).toEqual({ plan: `${plan}\n` });
  expect(lastRequest(task)).toContain("Also test it.");
  await task.server.kill();
  await task.server.start();
  await task.answer(second, { decision: "allow", plan: { mode: "accept-edits", text: edited } });
  expect(await task.ended(executionId)).toMatchObject({ status: "success", usage: { inputTokens: 150, outputTokens: 15 } });
  expect(await modeOf(task)).toBe("accept-edits");
  expect(has(task, "made.txt")).toBe(true);
  expect(lastRequest(task)).toContain("with **two** lines");
  expect(lastRequest(task)).toContain("Collaboration Mode: Default");
  const lines = (await task.conversation()).map(toLine);
  expect(lines.filter((line) => line.includes("lan"))).toEqual([
    "text: plan it",
    "tool_execution: Plan was not approved",
    "tool_execution: Plan approved",
  ]);

  // a thread stays in plan mode until the mode is changed, even if its plan was not approved
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "plan" });
  const again = await task.send("plan more");
  await task.answer(await task.pendingApproval(), { decision: "deny" });
  expect(await task.ended(again)).toMatchObject({ status: "success" });
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "ask" });
  expect(await task.run("never mind")).toMatchObject({ status: "success" });
  const developer = lastRequest(task);
  expect(developer.lastIndexOf("Collaboration Mode: Default")).toBeGreaterThan(developer.lastIndexOf("# Plan Mode"));
  expect(task.model.violations).toEqual([]);
});

/** Qwen Code offers it as claude-agent-acp does. */
const acpAgents: [name: string, agent: TestedAgent, exit: string][] = [
  ["claude-agent-acp", furtherAgents.claudeAgentAcp, "ExitPlanMode"],
  ...(isLong ? [["Qwen Code", furtherAgents.qwen, "exit_plan_mode"] as [string, TestedAgent, string]] : []),
];

test.each(acpAgents)(
  "[E10, N3] %s plans in the mode that its session offers, and carries out the approved plan",
  async (_, agent, name) => {
    const task = await openTestedAgent(agent, { permissionMode: "plan" });
    const propose = (text: string) => ({ toolCalls: [{ name, arguments: { plan: text } }] });
    task.script(
      propose("1. Do it."),
      propose(plan),
      { toolCalls: [agent.write(join(task.attempt.directory, "made.txt"), "one\n")] },
      { text: "All done." },
    );
    const executionId = await task.send("plan it");
    const first = await task.pendingApproval();
    expect(first).toMatchObject({ toolName: name, input: { plan: "1. Do it." } });
    await task.answer(first, { decision: "deny", reason: "Also test it." });
    const second = await nextApproval(task, first);
    expect(second.input).toMatchObject({ plan });
    expect(JSON.stringify(task.requests().at(-1)?.body)).toContain("Also test it.");
    await task.answer(second, { decision: "allow", plan: { mode: "ask" } });
    const write = await nextApproval(task, second);
    expect(JSON.stringify(write.input)).toContain("made.txt");
    expect([has(task, "made.txt"), await modeOf(task)]).toEqual([false, "ask"]);
    await task.answer(write, { decision: "allow" });
    expect(await task.ended(executionId)).toMatchObject({ status: "success" });
    expect(has(task, "made.txt")).toBe(true);
    expect(
      findTools(await task.conversation())
        .map(({ metadata }) => [metadata.toolName, metadata.state])
        .slice(0, 2),
    ).toEqual([
      [name, "denied"],
      [name, "completed"],
    ]);

    // an edited plan: the protocol's answer cannot carry it
    await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "plan" });
    task.script(propose("1. More."), { text: "Carried out." });
    const again = await task.send("more");
    const third = await nextApproval(task, write);
    await task.answer(third, { decision: "allow", plan: { mode: "full", text: edited } });
    expect(await task.ended(again)).toMatchObject({ status: "success" });
    expect(JSON.stringify(task.requests().at(-1)?.body)).toContain("with **two** lines");
    const card = findTools(await task.conversation()).at(-1);
    expect(card?.metadata).toMatchObject({ state: "completed", details: { type: "plan", data: { plan: edited } } });
    expect((await task.conversation()).at(-1)?.content).toBe("Carried out.");
    expect(await modeOf(task)).toBe("full");
  },
);

test("[N3] an agent whose session offers no plan mode is not sent the message, and the mode cannot be chosen again", async () => {
  const task = await openTestedAgent(furtherAgents.pi, { permissionMode: "plan" });
  task.script({ toolCalls: [furtherAgents.pi.run("touch evil.txt")] });
  expect(await task.run("plan it")).toMatchObject({ status: "failed", reason: expect.stringContaining("offers no plan mode") });
  expect([has(task, "evil.txt"), task.requests()]).toEqual([false, []]);
  const setMode = (permissionMode: string) => task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode });
  await setMode("ask");
  await expect(setMode("plan")).rejects.toThrow(/has no plan mode/);
});
