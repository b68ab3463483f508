import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildProject } from "../builders/build-project.ts";
import { buildTask } from "../builders/build-task.ts";
import { testId } from "../builders/test-id.ts";
import { attempt, project, type StorageContract, task, useStorage } from "./contract-fixture.ts";

const at = (text: string): number => Date.parse(text);

export function describeUsage(contract: StorageContract): void {
  describe("the usage report", () => {
    const fixture = useStorage(contract);
    const other = buildAttempt({ id: testId("att", 2), taskId: testId("tsk", 2), agent: "codex" });

    async function fill(): Promise<void> {
      await fixture.storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.insertProject(buildProject({ id: testId("prj", 2) }));
        await tx.insertTask(task);
        await tx.insertTask(buildTask({ id: testId("tsk", 2), projectId: testId("prj", 2), title: "Other" }));
        await tx.insertAttempt(attempt);
        await tx.insertAttempt(other);
        const ends = [
          {
            id: 1,
            of: attempt,
            number: 1,
            startedAt: at("2026-03-01T23:30:00Z"),
            usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.5 },
          },
          { id: 2, of: attempt, number: 2, startedAt: at("2026-03-02T00:30:00Z"), usage: { inputTokens: 1 } },
          {
            id: 3,
            of: other,
            number: 1,
            startedAt: at("2026-03-02T10:00:00Z"),
            usage: { outputTokens: 7, costUsd: 2, isPartial: true as const },
          },
          { id: 4, of: other, number: 2, startedAt: at("2026-03-09T00:00:00Z"), usage: { costUsd: 99 } },
        ];
        for (const { id, of, number, startedAt, usage } of ends) {
          const started = { id: testId("exe", id), attemptId: of.id, taskId: of.taskId, number, startedAt };
          await tx.insertExecution(buildExecution(started));
          await tx.endExecution(buildEndedExecution({ ...started, endedAt: startedAt + 5, durationMs: 5, usage }));
        }
        await tx.insertExecution(buildExecution({ id: testId("exe", 5), number: 3, startedAt: at("2026-03-02T11:00:00Z") }));
      });
    }
    const period = { from: at("2026-03-01T00:00:00Z"), to: at("2026-03-09T00:00:00Z"), utcOffsetMinutes: 0 };

    it("[E9] tokens and costs by day and agent; an unreported cost is not reported as zero", async () => {
      await fill();
      const { days } = await fixture.storage.read.reportUsage(period);
      expect(days).toEqual([
        { day: "2026-03-01", agent: attempt.agent, executions: 1, inputTokens: 100, outputTokens: 10, costUsd: 0.5, isPartial: false },
        { day: "2026-03-02", agent: "codex", executions: 1, inputTokens: 0, outputTokens: 7, costUsd: 2, isPartial: true },
        { day: "2026-03-02", agent: attempt.agent, executions: 1, inputTokens: 1, outputTokens: 0, costUsd: null, isPartial: false },
      ]);
    });

    it("a day begins at midnight in the client's time zone", async () => {
      await fill();
      const { days } = await fixture.storage.read.reportUsage({ ...period, utcOffsetMinutes: 60, projectId: project.id });
      expect(days.map(({ day, executions }) => [day, executions])).toEqual([["2026-03-02", 2]]);
    });

    it("the most expensive attempts come first, optionally of one project", async () => {
      await fill();
      const { attempts } = await fixture.storage.read.reportUsage(period);
      expect(attempts.map(({ attemptId, taskTitle, costUsd }) => [attemptId, taskTitle, costUsd])).toEqual([
        [other.id, "Other", 2],
        [attempt.id, task.title, 0.5],
      ]);
      const own = await fixture.storage.read.reportUsage({ ...period, projectId: project.id });
      expect(own.attempts.map(({ attemptId }) => attemptId)).toEqual([attempt.id]);
    });
  });
}
