import type { ExecutionWait, RunningExecution, TaskBudgets, TaskSummary, WaitingExecution } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import type { RealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel, type ScriptStep } from "./support/scripts.ts";

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
    { timeout: 60_000, interval: 100 },
  );
}

/** Each call costs a dollar and appends a line to a file. */
const dollars = (count: number): ScriptStep[] => [
  ...Array.from({ length: count }, (_, step): ScriptStep => ({ toolCalls: [bash(`echo ${step} >> calls.txt`)], costUsd: 1, chunkDelayMs: 0 })),
  { text: "Done.", costUsd: 1, chunkDelayMs: 0 },
];

async function newTask(server: RealServer, steps: ScriptStep[], projectId?: string) {
  const project = projectId ?? (await server.api.createProject(newRepository())).id;
  const task = await server.api.createTask(project, "A task");
  const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel(steps), permissionMode: "full" });
  const { executionId = "" } = await server.api.send(task.id, "go");
  const countCalls = async (): Promise<number> => {
    const { readFileSync, existsSync } = await import("node:fs");
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
