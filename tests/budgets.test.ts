import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExecutionWait, RunningExecution, TaskBudgets, TaskSummary, WaitingExecution } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel, type ScriptStep } from "./support/scripts.ts";
import { newSpendingClaude } from "./support/spending-claude.ts";

const listHeld = (server: RealServer) => server.api.request<WaitingExecution[]>("GET", "/api/held-executions");
const answer = (server: RealServer, id: string, body: { decision: string; since: number }) =>
  server.api.request("POST", `/api/executions/${id}/budget-answer`, body);

type Asked = { execution: RunningExecution; wait: Extract<ExecutionWait, { for: "budget" }> };

async function untilAsked(server: RealServer, count = 1): Promise<Asked[]> {
  return vi.waitFor(
    async () => {
      const held = await listHeld(server);
      expect(held).toHaveLength(count);
      return held.map(({ execution }) => {
        if (execution.status !== "running" || execution.wait?.for !== "budget") throw new Error("it does not ask");
        return { execution, wait: execution.wait };
      });
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** Each call costs a dollar and appends a line to a file. */
const dollars = (count: number): ScriptStep[] => [
  ...Array.from(
    { length: count },
    (_, step): ScriptStep => ({ toolCalls: [bash(`echo ${step} >> calls.txt`)], costUsd: 1, chunkDelayMs: 0 }),
  ),
  { text: "Done.", costUsd: 1, chunkDelayMs: 0 },
];

async function newTask(server: RealServer, steps: ScriptStep[], projectId?: string) {
  const project = projectId ?? (await server.api.createProject(newRepository())).id;
  const task = await server.api.createTask(project, "A task");
  const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel(steps), permissionMode: "full" });
  const { executionId = "" } = await server.api.send(task.id, "go");
  const countCalls = async (): Promise<number> => {
    const file = `${attempt.directory}/calls.txt`;
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
  };
  return { project, task, attempt, executionId, countCalls };
}

test("[L2, Q22] the native agent is paused before the call that would exceed a budget, asks, and continues where it stopped, across kill -9", async () => {
  const server = await startConfiguredServer({ developer: { scriptedModels: true }, budgets: { task: { costUsd: 3 } } });
  const { task, attempt, executionId, countCalls } = await newTask(server, dollars(7));
  const [asked] = (await untilAsked(server)) as [Asked];
  expect(asked.wait).toMatchObject({
    isPaused: true,
    reached: { scope: "task", measure: "costUsd", spent: 3, limit: 3, more: 3, isPartial: false },
  });
  expect(asked.execution.id).toBe(executionId);
  await vi.waitFor(async () => expect(await countCalls()).toBe(3));
  const { activity } = await server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`);
  expect(activity.open).toMatchObject([{ executionId, wait: { for: "budget" } }]);

  // the question outlives the server
  await server.kill();
  await server.start();
  const [again] = (await untilAsked(server)) as [Asked];
  expect(again.wait).toEqual(asked.wait);
  const { since } = again.wait;
  await answer(server, executionId, { decision: "more", since });
  // answered once
  await expect(answer(server, executionId, { decision: "unlimited", since })).rejects.toThrow("execution-not-waiting");
  const [second] = (await untilAsked(server)) as [Asked];
  expect(second.wait.reached).toMatchObject({ spent: 6, limit: 6, more: 3 });
  expect(await countCalls()).toBe(6);
  expect(await server.api.request<TaskBudgets>("GET", `/api/tasks/${task.id}/budget`)).toMatchObject({
    own: null,
    asking: executionId,
    states: [{ scope: "task", budget: { costUsd: 6 }, spent: { costUsd: 6 } }],
  });
  await answer(server, executionId, { decision: "unlimited", since: second.wait.since });
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success", usage: { costUsd: 8 } });
  // each command ran once
  expect(await countCalls()).toBe(7);
});

test("[L2] a message to a task whose budget is used up asks before anything runs; stop ends it; other tasks are not affected", async () => {
  const server = await startConfiguredServer({ developer: { scriptedModels: true } });
  const one = await newTask(server, dollars(2));
  expect(await waitForEnd(server, one.attempt.id, one.executionId)).toMatchObject({ status: "success" });
  await server.api.request("PUT", `/api/tasks/${one.task.id}/budget`, { budget: { costUsd: 2 } });
  const { executionId = "" } = await server.api.send(one.task.id, "again");
  const [asked] = (await untilAsked(server)) as [Asked];
  expect(asked).toMatchObject({ execution: { id: executionId }, wait: { isPaused: false, reached: { spent: 3, limit: 2, more: 2 } } });
  expect(await one.countCalls()).toBe(2);
  const other = await newTask(server, dollars(1), one.project);
  expect(await waitForEnd(server, other.attempt.id, other.executionId)).toMatchObject({ status: "success" });
  await answer(server, executionId, { decision: "stop", since: asked.wait.since });
  expect(await waitForEnd(server, one.attempt.id, executionId)).toMatchObject({ status: "cancelled", code: "not-answered" });
  expect(await one.countCalls()).toBe(2);
  expect(await listHeld(server)).toEqual([]);
});

test("[L2] another agent is stopped at the next sign of life, asks, and continues by resuming its session, across kill -9", async () => {
  const claude = newSpendingClaude({ requests: 8 });
  const server = await startConfiguredServer({
    agents: { "claude-code": { command: claude.command } },
    budgets: { task: { tokens: 3000 } },
  });
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id, "A task");
  const attempt = await server.api.createAttempt(task.id, { agent: "claude-code", permissionMode: "full" });
  const { executionId = "" } = await server.api.send(task.id, "go");
  const countRequests = (): number => readFileSync(join(claude.folder, "requests"), "utf8").trim().split("\n").length;
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({
    status: "interrupted",
    code: "budget",
    reasonText: { code: "budget-reached", scope: "task", measure: "tokens", spent: 3000, limit: 3000 },
    // the figures of requests that were complete
    usage: { isPartial: true },
  });
  const [asked] = (await untilAsked(server)) as [Asked];
  expect(asked).toMatchObject({ execution: { number: 2 }, wait: { isPaused: false, reached: { more: 3000 } } });
  expect(countRequests()).toBeLessThanOrEqual(4);
  await server.kill();
  await server.start();
  expect(((await untilAsked(server)) as [Asked])[0].wait).toEqual(asked.wait);
  await answer(server, asked.execution.id, { decision: "unlimited", since: asked.wait.since });
  expect(await waitForEnd(server, attempt.id, asked.execution.id)).toMatchObject({ status: "success" });
  expect(readFileSync(join(claude.folder, "sessions"), "utf8").trim().split("\n")).toEqual(["new", claude.session]);
  const { messages } = await server.api.conversation(task.id);
  expect(messages.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual(["go", "Continue where you stopped."]);
});

test("[L2, Q22] three tasks of a project with one budget: together they exceed it by no more than one call", async () => {
  const server = await startConfiguredServer({ developer: { scriptedModels: true }, budgets: { projectDay: { costUsd: 7 } } });
  const first = await newTask(server, dollars(12));
  const tasks = [first, await newTask(server, dollars(12), first.project), await newTask(server, dollars(12), first.project)];
  const asked = await untilAsked(server, 3);
  expect(asked.every(({ wait }) => wait.reached.scope === "projectDay" && wait.reached.spent === 7)).toBe(true);
  const count = async () => (await Promise.all(tasks.map(({ countCalls }) => countCalls()))).reduce((sum, calls) => sum + calls, 0);
  await vi.waitFor(async () => expect(await count()).toBe(7));
  const [one] = asked as [Asked];
  // one answer is one for all who ask about the same budget
  await answer(server, one.execution.id, { decision: "unlimited", since: one.wait.since });
  for (const { attempt, executionId } of tasks)
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
  expect(await count()).toBe(36);
});

describe.skipIf(testServerUrl === undefined)("[W2] on two servers", () => {
  const databases = createTestDatabases();

  test("[L2] tasks of one project on two servers together exceed its budget by no more than one call, and one answer continues both", async () => {
    const homes = ["first", "second"].map(() => newFolder("home"));
    const databaseUrl = await databases.create();
    const servers: RealServer[] = [];
    for (const [index, home] of homes.entries()) {
      const config = { developer: { scriptedModels: true }, budgets: { projectDay: { costUsd: 5 } } };
      writeFileSync(join(home, "config.json"), JSON.stringify(config));
      servers.push(await startRealServer({ home, environment: { SKEIN_DATABASE_URL: databaseUrl, SKEIN_NODE_NAME: `node-${index}` } }));
    }
    const [first, second] = servers as [RealServer, RealServer];
    const one = await newTask(first, dollars(9));
    const other = await newTask(second, dollars(9), one.project);
    const asked = await untilAsked(second, 2);
    expect(asked.map(({ wait }) => wait.reached)).toEqual(
      asked.map(() => expect.objectContaining({ scope: "projectDay", spent: 5, limit: 5 })),
    );
    const count = async () => (await one.countCalls()) + (await other.countCalls());
    await vi.waitFor(async () => expect(await count()).toBe(5));
    const [held] = asked as [Asked];
    await answer(first, held.execution.id, { decision: "unlimited", since: held.wait.since });
    for (const { attempt, executionId } of [one, other]) {
      expect(await waitForEnd(first, attempt.id, executionId)).toMatchObject({ status: "success" });
    }
    expect(await count()).toBe(18);
  });
});
