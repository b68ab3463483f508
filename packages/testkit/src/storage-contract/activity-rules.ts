import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildApproval } from "../builders/build-approval.ts";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildToolExecutionMessage } from "../builders/build-conversation-message.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildQueuedMessage } from "../builders/build-queued-message.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId, testTime } from "../builders/test-id.ts";
import {
  attempt,
  execution,
  insertRunningExecution,
  ofExecution,
  project,
  type StorageContract,
  task,
  useStorage,
} from "./contract-fixture.ts";

const none = {
  attempts: 0,
  executing: false,
  pendingApprovals: 0,
  queued: 0,
  queuePaused: false,
  open: [],
  pullRequests: [],
  lastEnd: null,
  totals: { executions: 0, durationMs: 0, usage: {} },
};

export function describeActivities(contract: StorageContract): void {
  describe("activity of tasks", () => {
    const fixture = useStorage(contract);

    it("a task without an attempt has no activity", async () => {
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.insertTask(task);
      });
      expect(await fixture.storage.read.listActivities({ taskIds: [task.id] })).toEqual(
        new Map([[task.id, { seq: 0, attemptId: null, agent: null, ...none }]]),
      );
    });

    it("running and waiting work of every attempt is counted; tools that ended are not", async () => {
      const summary = { action: "run", subject: "ls", state: "running" } as const;
      const running = buildToolExecutionMessage({ content: "Running ls", metadata: { state: "running", isError: false, summary } });
      // as an earlier release stored it
      const sentence = "Running npm test";
      const metadata = { state: "running", isError: false, summary: sentence } as const;
      const older = buildToolExecutionMessage({ id: "msg_0000-merged", content: sentence, metadata });
      const ended = buildToolExecutionMessage({ id: "msg_0002-merged", metadata: { state: "completed" } });
      const second = buildAttempt({ id: testId("att", 2), number: 2, agent: "codex" });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(second);
        await tx.putConversationMessages({ ...ofExecution, messages: [older, running, ended] });
        await tx.insertApproval(buildApproval());
        await tx.insertQueuedMessage(buildQueuedMessage());
        await tx.setQueuePause({ attemptId: attempt.id, pause: { reason: "stopped", pausedAt: testTime } });
        await tx.appendEvent({ type: "project:created", projectId: project.id, project }, testTime);
      });
      const activity = (await fixture.storage.read.listActivities({ taskIds: [task.id] })).get(task.id);
      expect(activity).toEqual({
        ...none,
        seq: await fixture.storage.read.getLastSeq(),
        attemptId: second.id,
        agent: "codex",
        attempts: 2,
        executing: true,
        runningTool: "Running ls",
        runningToolSummary: summary,
        pendingApprovals: 1,
        queued: 1,
        queuePaused: true,
        open: [
          {
            attemptId: attempt.id,
            executionId: execution.id,
            startedAt: execution.startedAt,
            tools: [
              { messageId: older.id, content: sentence, summary: sentence },
              { messageId: running.id, content: "Running ls", summary },
            ],
            approvals: [testId("apr")],
            queued: 1,
            queuePaused: true,
          },
        ],
      });
      const done = [buildToolExecutionMessage({ revision: 2 }), buildToolExecutionMessage({ id: older.id, revision: 2 })];
      await fixture.storage.transaction((tx) => tx.putConversationMessages({ ...ofExecution, messages: done }));
      expect((await fixture.storage.read.listActivities({ taskIds: [task.id] })).get(task.id)).not.toHaveProperty("runningTool");
    });

    it("sums are those of ended executions; unreported values are absent", async () => {
      const other = buildTask({ id: testId("tsk", 2) });
      const first = buildEndedExecution({ usage: { inputTokens: 10, costUsd: 0.25 }, durationMs: 5 });
      const next = { ...buildExecution({ id: testId("exe", 2), number: 2 }) };
      const last = buildEndedExecution({
        id: next.id,
        number: 2,
        status: "failed",
        usage: { inputTokens: 5 },
        durationMs: 7,
        endedAt: testTime + 9000,
      });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertTask(other);
        await tx.endExecution(first);
        await tx.insertExecution(next);
        await tx.endExecution(last);
        await tx.insertExecution(buildExecution({ id: testId("exe", 3), number: 3 }));
      });
      const totals = { executions: 2, durationMs: 12, usage: { inputTokens: 15, costUsd: 0.25 } };
      const lastEnd = { executionId: last.id, status: "failed", endedAt: testTime + 9000 };
      const activities = await fixture.storage.read.listActivities({ taskIds: [task.id, other.id] });
      expect([...activities.keys()].toSorted()).toEqual([task.id, other.id]);
      expect(activities.get(task.id)).toMatchObject({ executing: true, totals, lastEnd });
      expect(activities.get(other.id)).toMatchObject(none);
      expect(await fixture.storage.read.listAttemptTotals({ taskId: task.id })).toEqual(new Map([[attempt.id, { totals, lastEnd }]]));
    });

    it("[G3] an attempt that another one continues or was forked from cannot be deleted alone, only with its task", async () => {
      const forkedFrom = { executionId: testId("exe"), at: "end" } as const;
      const next = buildAttempt({ id: testId("att", 2), number: 2, continuedFrom: attempt.id, forkedFrom });
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(next);
      });
      expect(await fixture.storage.read.findAttempt({ id: next.id })).toEqual(next);
      await expect(fixture.storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }))).rejects.toThrow(StorageConstraintError);
      await fixture.storage.transaction((tx) => tx.deleteTask({ id: task.id }));
      expect(await fixture.storage.read.findAttempt({ id: next.id })).toBeUndefined();
    });
  });
}
