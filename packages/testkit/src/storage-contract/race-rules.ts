import type { CheckRun } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildEndedExecution } from "../builders/build-execution.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, execution, insertRunningExecution, listAllEvents, type StorageContract, task, useStorage } from "./contract-fixture.ts";

const raceId = testId("rac");
const waiting: CheckRun = { id: testId("chk"), executionId: execution.id, requestedAt: testTime, state: "waiting" };
const passed: CheckRun = {
  ...{ id: waiting.id, executionId: execution.id, requestedAt: testTime, startedAt: testTime + 1, endedAt: testTime + 2 },
  ...{ state: "passed", tree: "a".repeat(40), treeAfter: null, exitCode: 0, output: "all 12 tests passed\n" },
};
const racing = { ...attempt, raceId };
const other = buildAttempt({ id: testId("att", 2), number: 2, active: false, raceId });

export function describeRaces(contract: StorageContract): void {
  describe("races and checks", () => {
    const fixture = useStorage(contract);

    it("[L4] the check of an attempt, its race and that it is archived are stored, shown with its task, and in its events", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.updateAttempt({ ...racing, check: waiting });
        await tx.insertAttempt(other);
      });
      expect(await storage.read.findAttempt({ id: attempt.id })).toEqual({ ...racing, check: waiting });
      expect((await storage.read.listOpenChecks()).map(({ id }) => id)).toEqual([attempt.id]);
      const badges = async () => (await storage.read.listActivities({ taskIds: [task.id] })).get(task.id)?.checks;
      expect(await badges()).toEqual([
        { attemptId: attempt.id, state: "waiting", raceId },
        { attemptId: other.id, state: null, raceId },
      ]);
      const updates = { check: passed, updatedAt: testTime + 2 };
      await storage.transaction(async (tx) => {
        await tx.updateAttempt({ ...racing, ...updates });
        await tx.appendEvent({ type: "task:attempt-updated", taskId: task.id, attemptId: attempt.id, updates }, testTime + 2);
        await tx.updateAttempt({ ...other, archived: true });
      });
      expect(await storage.read.listOpenChecks()).toEqual([]);
      expect(await badges()).toEqual([{ attemptId: attempt.id, state: "passed", raceId }]);
      expect((await listAllEvents(storage)).at(-1)).toEqual({
        type: "task:attempt-updated",
        taskId: task.id,
        attemptId: attempt.id,
        updates,
      });
    });

    it("[L4] the inbox item of a race counts its attempts that passed; archived ones are left out", async () => {
      const { storage } = fixture;
      const ended = buildEndedExecution();
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.updateAttempt({ ...racing, check: passed });
        await tx.insertAttempt(other);
        await tx.endExecution(ended);
        await tx.insertInboxItem({ execution: ended, at: testTime });
      });
      expect(await storage.read.listInboxItems()).toMatchObject([{ kind: "ended", race: { raceId, passed: 1, total: 2 } }]);
      await storage.transaction((tx) => tx.updateAttempt({ ...other, archived: true }));
      expect(await storage.read.findInboxItem({ id: ended.id })).toMatchObject({ race: { passed: 1, total: 1 } });
    });
  });
}
