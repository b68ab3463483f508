import type { ExecutionWait } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { buildAttempt } from "../builders/build-attempt.ts";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { testId } from "../builders/test-id.ts";
import {
  attempt,
  execution,
  insertRunningExecution,
  ofAttempt,
  project,
  type StorageContract,
  task,
  useStorage,
} from "./contract-fixture.ts";

const wait: Extract<ExecutionWait, { for: "limit" }> = { for: "limit", since: 5, position: 3 };
const otherAttempt = buildAttempt({ id: testId("att", 2), number: 2, agent: "codex" });
const other = buildExecution({ id: testId("exe", 2), attemptId: otherAttempt.id });

export function describeWaits(contract: StorageContract): void {
  describe("executions that wait for a slot", () => {
    const fixture = useStorage(contract);

    it("[L1] are listed last, in the order of their places, with what limits count; and are shown with their task", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.insertAttempt(otherAttempt);
        await tx.insertExecution(other);
        expect(await tx.setExecutionWait({ id: execution.id, wait, at: 6 })).toEqual({ ...execution, wait });
      });
      const owner = { agent: attempt.agent, projectId: project.id };
      const running = { execution: other, agent: "codex", projectId: project.id };
      expect(await storage.read.listOccupants()).toEqual([running, { execution: { ...execution, wait }, ...owner }]);
      await storage.transaction((tx) => tx.setExecutionWait({ id: other.id, wait: { ...wait, position: 2 }, at: 6 }));
      expect((await storage.read.listOccupants()).map((one) => one.execution.id)).toEqual([other.id, execution.id]);
      const { open } = (await storage.read.listActivities({ taskIds: [task.id] })).get(task.id) ?? {};
      expect(open?.map((one) => one.wait)).toMatchObject([{ position: 3 }, { position: 2 }]);
    });

    it("[L1] an event carries the wait; an execution that has ended does not wait", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.setExecutionWait({ id: execution.id, wait, at: 6 });
        const changed = { type: "execution:changed", ...ofAttempt, executionId: execution.id, execution: { ...execution, wait } } as const;
        await tx.appendEvent(changed, 6);
      });
      expect(fixture.published.flat().at(-1)?.event).toMatchObject({ type: "execution:changed", execution: { wait } });
      const ended = buildEndedExecution();
      await storage.transaction((tx) => tx.endExecution(ended));
      expect(await storage.read.findExecution({ id: execution.id })).toEqual(ended);
      expect(await storage.transaction((tx) => tx.setExecutionWait({ id: execution.id, wait, at: 6 }))).toBeUndefined();
      expect(await storage.read.listOccupants()).toEqual([]);
    });
  });
}
