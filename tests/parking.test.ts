import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, ExecutionWait, RunningExecution, TaskSummary, WaitingExecution } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { newLimitedAgent } from "./support/limited-agent.ts";
import type { RealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

const listHeld = (server: RealServer) => server.api.request<WaitingExecution[]>("GET", "/api/held-executions");

type Parked = RunningExecution & { wait: Extract<ExecutionWait, { for: "provider" }> };

async function untilParked(server: RealServer, count = 1): Promise<Parked[]> {
  return vi.waitFor(
    async () => {
      const held = await listHeld(server);
      expect(held).toHaveLength(count);
      return held.map(({ execution }) => {
        if (execution.status !== "running" || execution.wait?.for !== "provider") throw new Error("it is not parked");
        return execution as Parked;
      });
    },
    { timeout: 60_000, interval: 200 },
  );
}

async function newTask(server: RealServer, agent: string, message = "go") {
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, "A task");
  const attempt = await server.api.createAttempt(task.id, { agent, permissionMode: "full" });
  const { executionId = "" } = await server.api.send(task.id, message);
  return { project, task, attempt, executionId };
}

test("[L3, Q21] a parked execution resumes by itself, once, at its time, across kill -9; its message is sent once", async () => {
  const agent = newLimitedAgent("You've hit your usage limit. Upgrade to Pro or try again in 14 seconds.");
  const server = await startConfiguredServer({
    agents: { "command:limited": { command: agent.command } },
    parking: { resume: true },
  });
  const { task, attempt, executionId } = await newTask(server, "command:limited", "Repair the boat");
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({
    status: "interrupted",
    code: "not-answered",
    reasonText: { code: "provider-limit", agent: "limited", limit: "rate-limit" },
  });
  const [parked] = (await untilParked(server)) as [Parked];
  const { wait } = parked;
  expect(wait).toMatchObject({ isAutomatic: true, rejections: 1, limit: { code: "rate-limit" } });
  expect(wait.resumesAt).toBeGreaterThanOrEqual(wait.limit.resetsAt ?? Number.POSITIVE_INFINITY);
  const { activity } = await server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
  expect(activity.open).toMatchObject([{ executionId: parked.id, wait: { for: "provider" } }]);
  rmSync(join(agent.folder, "limit"));
  for (let kills = 0; kills < 2; kills++) {
    await server.kill();
    await server.start();
    expect((await untilParked(server))[0]).toEqual(parked);
  }
  expect(await waitForEnd(server, attempt.id, parked.id)).toMatchObject({ status: "success" });
  const runs = agent.runs();
  expect(runs.map(({ isLimited }) => isLimited)).toEqual([true, false]);
  expect(runs[1]?.at).toBeGreaterThanOrEqual(wait.resumesAt);
  // the message was moved to the execution that continues
  expect(runs[1]?.prompt.match(/Repair the boat/g)).toHaveLength(1);
  expect(await server.api.executions(attempt.id)).toHaveLength(2);
  await server.kill();
  await server.start();
  expect(agent.runs()).toHaveLength(2);
});

test("[L3] without a time, each try waits longer; the user resumes, makes it automatic, or stops it", async () => {
  const agent = newLimitedAgent("exceeded retry limit, last status: 429 Too Many Requests");
  const server = await startConfiguredServer({ agents: { "command:limited": { command: agent.command } } });
  const { task, attempt } = await newTask(server, "command:limited");
  const [first] = (await untilParked(server)) as [Parked];
  expect(first.wait).toMatchObject({ isAutomatic: false, rejections: 1, limit: { code: "rate-limit", resetsAt: null } });
  const waitOf = ({ wait }: Parked): number => wait.resumesAt - wait.since;
  expect(waitOf(first)).toBeGreaterThanOrEqual(5 * 60_000);
  expect(waitOf(first)).toBeLessThanOrEqual(5.5 * 60_000);
  await server.api.request("PATCH", `/api/executions/${first.id}/parked`, { isAutomatic: true });
  expect((await untilParked(server))[0]?.wait.isAutomatic).toBe(true);
  await server.api.request("POST", `/api/executions/${first.id}/resume`);
  await waitForEnd(server, attempt.id, first.id);
  const [second] = (await untilParked(server)) as [Parked];
  expect(second.wait.rejections).toBe(2);
  expect(waitOf(second)).toBeGreaterThanOrEqual(10 * 60_000);
  await expect(server.api.request("POST", `/api/executions/${first.id}/resume`)).rejects.toThrow("execution-not-waiting");
  await server.api.stop(task.id);
  expect(await waitForEnd(server, attempt.id, second.id)).toMatchObject({ status: "cancelled" });
  expect(await listHeld(server)).toEqual([]);
  expect(agent.runs()).toHaveLength(2);
});

test("[L3] a fallback list: the next agent continues from the files, and says so; agents that are limited themselves are left out", async () => {
  const text = "You've hit your weekly limit · resets Jan 2, 5am (UTC)";
  const [one, two] = [newLimitedAgent(text), newLimitedAgent(text)];
  const agents = { "command:one": { command: one.command }, "command:two": { command: two.command } };
  const server = await startConfiguredServer({ developer: { scriptedModels: true }, agents });
  const model = newScriptedModel([{ text: "I continue." }]);
  const project = await server.api.createProject(newRepository());
  const fallbacks = [
    { agent: "command:one", model: null },
    { agent: "command:two", model: null },
    { agent: "native", model },
  ];
  await server.api.request("PATCH", "/api/settings/general", { parking: { perProject: { [project.id]: { fallbacks } } } });
  const task = await server.api.createTask(project.id, "A task");
  const attempt = await server.api.createAttempt(task.id, { agent: "command:one", permissionMode: "full" });
  await server.api.send(task.id, "go");
  const listAttempts = () => server.api.request<Attempt[]>("GET", `/api/tasks/${task.id}/attempts`);
  const third = await vi.waitFor(
    async () => {
      const found = (await listAttempts()).find(({ agent }) => agent === "native");
      if (found === undefined) throw new Error("nothing continues");
      return found;
    },
    { timeout: 60_000, interval: 200 },
  );
  const [execution] = await server.api.executions(third.id);
  expect(await waitForEnd(server, third.id, execution?.id)).toMatchObject({ status: "success" });
  const attempts = await listAttempts();
  expect(attempts.map(({ agent }) => agent)).toEqual(["command:one", "command:two", "native"]);
  expect(attempts.map(({ continuedFrom }) => continuedFrom)).toEqual([null, attempt.id, attempts[1]?.id]);
  const { messages } = await server.api.conversation(task.id);
  expect(messages.find(({ messageType }) => messageType === "notice")).toMatchObject({
    metadata: { text: { code: "continued-elsewhere", from: "two", agent: "Skein", limit: "plan-limit" } },
  });
  // what was parked is over, and each agent was asked once
  await vi.waitFor(async () => expect(await listHeld(server)).toEqual([]), { timeout: 20_000, interval: 200 });
  expect([one.runs().length, two.runs().length]).toEqual([1, 1]);
});
