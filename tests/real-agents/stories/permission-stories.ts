import { existsSync } from "node:fs";
import { join } from "node:path";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, type TaskMeta, test, vi } from "vitest";
import { findTools, wait } from "../acp-scenarios.ts";
import { openTestedAgent, type TestedTask } from "../agents/open-agents.ts";
import type { TestedAgent } from "../agents/tested-agent.ts";
import { prove } from "../matrix/prove.ts";
import type { AgentExpectations } from "./agent-stories.ts";
import { pathIn, usage } from "./work-stories.ts";

export function describePermissions(agent: TestedAgent, expected: AgentExpectations): void {
  const asks = agent.limits.allow === undefined;
  test("[E10, E5, T5, Q6] allowed, denied and remembered; a stop keeps what a command printed and leaves no process", async ({
    task: { meta },
  }) => {
    const task = await openTestedAgent(agent, { permissionMode: "ask" });
    if (asks) await askAndDeny(agent, task, meta);
    else await actUnasked(agent, task, meta);
    await prove(meta, agent, "stop", async () => {
      // twice: Codex 0.166 sometimes reports a command's first output only when the command ends
      task.script(
        { toolCalls: [agent.run("echo begun; sleep 1; echo begun; touch begun; (setsid sleep 300 &); sleep 300")], usage },
        { text: "never" },
      );
      const executionId = await task.send("Run it");
      if (asks) await task.answer(await task.pendingApproval(), { decision: "allow" });
      await vi.waitFor(() => expect(existsSync(join(task.attempt.directory, "begun"))).toBe(true), wait);
      const findOutput = async () => findTools(await task.conversation()).at(-1)?.metadata.output;
      if (expected.keptOutput === "live") await vi.waitFor(async () => expect(await findOutput()).toContain("begun"), wait);
      await task.stop();
      expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
      expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
      const stopped = findTools(await task.conversation()).at(-1)?.metadata;
      const output = expected.keptOutput === "none" ? expect.any(String) : expect.stringContaining("begun");
      expect(stopped).toMatchObject({ state: "interrupted", output });
      task.script({ text: "Here again.", usage });
      expect(await task.run("Continue")).toMatchObject({ status: "success" });
      expect((await task.conversation()).at(-1)?.content).toBe("Here again.");
    });
  });
}

/** Files or commands that were allowed once, always, or denied: what the agent did, and what its cards showed and its model received. */
async function askAndDeny(agent: TestedAgent, task: TestedTask, meta: TaskMeta): Promise<void> {
  const { directory } = task.attempt;
  const remembers = agent.limits.always === undefined;
  task.script(
    { toolCalls: [agent.run("touch one.txt")], usage },
    { toolCalls: [agent.run("npm prefix")], usage },
    ...(remembers ? [{ toolCalls: [agent.run("npm prefix")], usage }] : []),
    { toolCalls: [agent.run("touch two.txt")], usage },
    { toolCalls: [agent.write(pathIn(task, agent, "three.txt"), "three\n")], usage },
    ...Array.from({ length: 3 }, () => ({ text: "I see.", usage })),
  );
  const executionId = await task.send("Do it");
  await prove(meta, agent, "allow", async () => {
    const once = await task.pendingApproval();
    expect(existsSync(join(directory, "one.txt"))).toBe(false);
    await task.answer(once, { decision: "allow" });
    await vi.waitFor(() => expect(existsSync(join(directory, "one.txt"))).toBe(true), wait);
  });
  const remembered = await task.pendingApproval();
  expect(remembered.grant === undefined).toBe(!remembers);
  await task.answer(remembered, { decision: remembers ? "allow-always" : "allow" });
  await prove(meta, agent, "deny", async () => {
    await task.answer(await task.pendingApproval(), { decision: "deny", reason: "Not two." });
    await task.answer(await task.pendingApproval(), { decision: "deny", reason: "Not three." });
    await task.ended(executionId);
    expect([existsSync(join(directory, "two.txt")), existsSync(join(directory, "three.txt"))]).toEqual([false, false]);
    const states = findTools(await task.conversation()).map(({ metadata }) => metadata.state);
    expect(states.slice(-2)).toEqual(["denied", "denied"]);
    const heard = JSON.stringify(task.requests().at(-1)?.body);
    expect([heard.includes("Not two."), heard.includes("Not three.")]).toEqual([true, true]);
  });
  await prove(meta, agent, "always", async () => {
    const states = findTools(await task.conversation()).map(({ metadata }) => metadata.state);
    expect(states).toEqual([...Array(remembers ? 3 : 2).fill("completed"), "denied", "denied"]);
    if (!remembers) return;
    task.script({ toolCalls: [agent.run("npm prefix")], usage }, { text: "Not asked again.", usage });
    expect(await task.run("Once more")).toMatchObject({ status: "success" });
    expect((await task.conversation()).at(-1)?.content).toBe("Not asked again.");
  });
}

/** An agent that never asks: this is reported once it has acted. */
async function actUnasked(agent: TestedAgent, task: TestedTask, meta: TaskMeta): Promise<void> {
  task.script({ toolCalls: [agent.run("touch one.txt")], usage }, { text: "Done.", usage });
  expect(await task.run("Do it")).toMatchObject({ status: "success" });
  const notices = (await task.conversation()).filter(({ messageType }) => messageType === "notice");
  for (const story of ["allow", "deny", "always"] as const) {
    await prove(meta, agent, story, () => expect(notices).toMatchObject([{ metadata: { code: "permissions-ignored" } }]));
  }
}
