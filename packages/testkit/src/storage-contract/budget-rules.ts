import type { ExecutionWait, ReachedBudget } from "@skein/contracts";
import type { StoredBudget } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { execution, insertRunningExecution, project, type StorageContract, task, useStorage } from "./contract-fixture.ts";

const reached: ReachedBudget = { scope: "task", measure: "costUsd", spent: 5.02, limit: 5, more: 5, isPartial: false };
const asking: ExecutionWait = { for: "budget", since: testTime + 1000, reached, isPaused: true };
const parked: ExecutionWait = {
  for: "provider",
  since: testTime + 2000,
  limit: { code: "plan-limit", resetsAt: testTime + 60_000, scope: "session" },
  resumesAt: testTime + 61_000,
  isAutomatic: true,
  rejections: 1,
};
const otherAttempt = buildAttempt({ id: testId("att", 2), number: 2, agent: "codex" });
const other = buildExecution({ id: testId("exe", 2), attemptId: otherAttempt.id, startedAt: testTime + 500 });
const ofTask = { taskId: task.id };

export function describeBudgets(contract: StorageContract): void {
  describe("budgets and parked executions", () => {
    const fixture = useStorage(contract);

    it("[L2, L3] what an execution waits for is stored and shown with its task; its end removes it", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        expect(await tx.setExecutionWait({ id: execution.id, wait: asking, at: testTime + 1000 })).toEqual({ ...execution, wait: asking });
      });
      const { open } = (await storage.read.listActivities({ taskIds: [task.id] })).get(task.id) ?? {};
      expect(open?.map((one) => one.wait)).toEqual([asking]);
      expect((await storage.read.listOccupants()).map((one) => one.execution.wait)).toEqual([asking]);
      await storage.transaction((tx) => tx.setExecutionWait({ id: execution.id, wait: parked, at: testTime + 2000 }));
      expect(await storage.read.findExecution({ id: execution.id })).toEqual({ ...execution, wait: parked });
      const ended = buildEndedExecution();
      await storage.transaction((tx) => tx.endExecution(ended));
      expect(await storage.read.findExecution({ id: execution.id })).toEqual(ended);
    });

    it("[L2] what running executions have used so far counts, and what ended ones reported; the time in which they waited does not", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(otherAttempt);
        await tx.insertExecution(other);
      });
      const sum = (at: number) => storage.read.sumSpending({ ...ofTask, at: testTime + at });
      expect(await sum(1000)).toEqual({ costUsd: null, tokens: 0, ms: 1500, isPartial: false });
      await storage.transaction(async (tx) => {
        await tx.setSpending({ executionId: execution.id, usage: { inputTokens: 100, outputTokens: 20, costUsd: 0.5 } });
        await tx.setSpending({ executionId: other.id, usage: { inputTokens: 10, outputTokens: 2, isPartial: true } });
        await tx.setExecutionWait({ id: execution.id, wait: asking, at: testTime + 1000 });
      });
      expect(await sum(5000)).toEqual({ costUsd: 0.5, tokens: 132, ms: 1000 + 4500, isPartial: true });
      await storage.transaction((tx) => tx.setExecutionWait({ id: execution.id, wait: null, at: testTime + 4000 }));
      expect((await sum(5000)).ms).toBe(2000 + 4500);
      await storage.transaction((tx) =>
        tx.endExecution(buildEndedExecution({ usage: { inputTokens: 200, outputTokens: 30, costUsd: 1 } })),
      );
      // the other one ended without a report: what it used so far stays
      const lost = { ...other, status: "interrupted", endedAt: testTime + 1500, durationMs: 1000, usage: {} } as const;
      await storage.transaction((tx) => tx.endExecution(buildEndedExecution(lost)));
      expect(await sum(90_000)).toEqual({ costUsd: 1, tokens: 242, ms: 2000 + 1000, isPartial: true });
      const at = testTime + 90_000;
      expect((await storage.read.sumSpending({ all: true, from: testTime + 1, at })).tokens).toBe(12);
      expect((await storage.read.sumSpending({ all: true, to: testTime + 1, at })).tokens).toBe(230);
      expect((await storage.read.sumSpending({ projectId: project.id, at })).tokens).toBe(242);
      expect((await storage.read.sumSpending({ executionId: other.id, at })).tokens).toBe(12);
      expect((await storage.read.sumSpending({ projectId: testId("prj", 9), at })).tokens).toBe(0);
    });

    it("[L2] calls with permission and the budget that stops an execution are stored until its end", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.setSpending({ executionId: execution.id, openCalls: { call_1: { costUsd: 0.5 }, call_2: {} } });
        await tx.setSpending({ executionId: execution.id, stopping: reached });
      });
      expect(await storage.read.findSpending({ executionId: execution.id })).toEqual({
        usage: {},
        openCalls: { call_1: { costUsd: 0.5 }, call_2: {} },
        stopping: reached,
      });
      expect(await storage.read.listOpenCalls(ofTask)).toEqual([{ costUsd: 0.5 }, {}]);
      expect(await storage.read.listOpenCalls({ projectId: testId("prj", 9) })).toEqual([]);
      await storage.transaction((tx) => tx.endExecution(buildEndedExecution()));
      expect(await storage.read.listOpenCalls({ all: true })).toEqual([]);
      await storage.transaction((tx) => tx.setSpending({ executionId: execution.id, stopping: reached }));
      expect(await storage.read.findSpending({ executionId: execution.id })).toEqual({
        usage: { outputTokens: 7 },
        openCalls: {},
        stopping: null,
      });
    });

    it("[L2] decisions about budgets are stored by scope and subject, and go with their task", async () => {
      const { storage } = fixture;
      const ofOne: StoredBudget = { scope: "task", subject: task.id, projectId: null, taskId: task.id, own: { costUsd: 5 }, allowed: null };
      const ofDay: StoredBudget = {
        ...{ scope: "day", subject: "2026-11-18", projectId: null, taskId: null, own: null },
        allowed: { tokens: 1000, unlimited: ["costUsd"] },
      };
      expect(await storage.read.hasBudgets()).toBe(false);
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.putBudget(ofOne);
        await tx.putBudget(ofDay);
        await tx.putBudget({ ...ofOne, own: { minutes: 10 } });
      });
      expect(await storage.read.hasBudgets()).toBe(true);
      expect(await storage.read.findBudget(ofOne)).toEqual({ ...ofOne, own: { minutes: 10 } });
      expect(await storage.read.findBudget(ofDay)).toEqual(ofDay);
      await storage.transaction((tx) => tx.deleteTask({ id: task.id }));
      expect(await storage.read.findBudget(ofOne)).toBeUndefined();
    });
  });
}
