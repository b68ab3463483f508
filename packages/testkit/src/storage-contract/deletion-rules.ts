import { type Storage, StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildApproval } from "../builders/build-approval.ts";
import { buildQueuedMessage } from "../builders/build-queued-message.ts";
import { buildStoredMessage } from "../builders/build-stored-message.ts";
import { buildSummary } from "../builders/build-summary.ts";
import { testId, testTime } from "../builders/test-id.ts";
import {
  attempt,
  buildNumberedMessage,
  execution,
  insertRunningExecution,
  listConversationIds,
  ofExecution,
  project,
  type StorageContract,
  task,
  useStorage,
} from "./contract-fixture.ts";

async function fill(storage: Storage): Promise<void> {
  await storage.transaction(async (tx) => {
    await insertRunningExecution(tx);
    await tx.putMessages([buildStoredMessage()]);
    await tx.putConversationMessages({ ...ofExecution, messages: [buildNumberedMessage(1)] });
    await tx.setIngestPosition({ executionId: execution.id, offset: 9, ingestState: null, entries: [] });
    await tx.insertQueuedMessage(buildQueuedMessage());
    await tx.insertApproval(buildApproval());
    await tx.saveCompression({ attemptId: attempt.id, summary: buildSummary(), pruning: null, expectedSummaryId: null, at: testTime });
  });
}

async function listWhatIsLeft(storage: Storage) {
  const { read } = storage;
  const lists = {
    executions: await read.listExecutions({ attemptId: attempt.id }),
    messages: await read.listMessages({ attemptId: attempt.id }),
    conversation: await listConversationIds(storage),
    queue: await read.listQueuedMessages({ attemptId: attempt.id }),
    approvals: await read.listApprovals({}),
    hits: await read.search({ text: "Message", limit: 10 }),
  };
  const { summary } = await read.getCompression({ attemptId: attempt.id });
  const { offset } = await read.getIngestPosition({ executionId: execution.id });
  return { ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list.length])), summary: summary?.id, offset };
}

const nothing = { executions: 0, messages: 0, conversation: 0, queue: 0, approvals: 0, hits: 0, summary: undefined, offset: 0 };

export function describeDeletion(contract: StorageContract): void {
  describe("deletion", () => {
    const fixture = useStorage(contract);

    it("[Q15] data that is recovered under a deleted id is not removed with the deletion", async () => {
      const { storage } = fixture;
      await fill(storage);
      await storage.transaction((tx) => tx.deleteTask({ id: task.id }));
      const recovered = { ...execution, id: testId("exe", 2), number: 2 };
      await storage.transaction(async (tx) => {
        await tx.insertTask({ ...task, activeAttemptId: null });
        await tx.insertAttempt(attempt);
        await tx.insertExecution(recovered);
        await tx.addConversationMessages({
          ...{ taskId: task.id, attemptId: attempt.id, executionId: recovered.id, at: testTime },
          messages: [buildNumberedMessage(2)],
        });
        await tx.appendEvent({ type: "project:updated", projectId: project.id, project }, testTime);
      });
      while (await storage.transaction((tx) => tx.purgeDeleted({ limit: 2 })));
      expect(await listConversationIds(storage)).toEqual([buildNumberedMessage(2).id]);
      const events = await storage.read.listEvents({ after: 0, limit: 100 });
      expect(events.map(({ event }) => event.type)).toContain("message:added");
    });

    it("deleting an attempt deletes everything that belongs to it, and keeps the task", async () => {
      await fill(fixture.storage);
      expect(await listWhatIsLeft(fixture.storage)).toMatchObject({ executions: 1, conversation: 1, hits: 1, offset: 9 });
      await fixture.storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
      expect(await listWhatIsLeft(fixture.storage)).toEqual(nothing);
      expect(await fixture.storage.read.findTask({ id: task.id })).toEqual({ ...task, activeAttemptId: null });
    });

    it("[Q15] deleted data is gone at once; its messages and events leave the database in slices, and cannot be found meanwhile", async () => {
      const { storage } = fixture;
      await fill(storage);
      const many = Array.from({ length: 30 }, (_, index) => index + 2);
      await storage.transaction(async (tx) => {
        await tx.putMessages(many.map((number) => buildStoredMessage({ id: testId("msg", number), position: number })));
        await tx.putConversationMessages({ ...ofExecution, messages: many.map(buildNumberedMessage) });
        for (const number of many) {
          const message = buildNumberedMessage(number);
          await tx.appendEvent({ type: "message:added", taskId: task.id, attemptId: attempt.id, message }, testTime);
        }
        await tx.appendEvent({ type: "task:updated", taskId: task.id, task }, testTime);
      });
      expect(await storage.read.countDeletedMessages()).toBe(0);
      await storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
      const left: number[] = [];
      do {
        left.push(await storage.read.countDeletedMessages());
        expect(await listWhatIsLeft(storage)).toEqual(nothing);
        expect(await storage.read.findMessage({ id: testId("msg", 5) })).toBeUndefined();
        expect(await storage.read.listMessagePlaces({ executionId: execution.id })).toEqual([]);
        expect(await storage.read.findConversationMessages({ attemptId: attempt.id, text: "Message", limit: 9 })).toEqual([]);
        expect((await storage.read.listEvents({ after: 0, limit: 100 })).map(({ event }) => event.type)).toEqual(["task:updated"]);
      } while (await storage.transaction((tx) => tx.purgeDeleted({ limit: 10 })));
      expect(left[0]).toBe(31);
      expect(left.length).toBeGreaterThan(6);
      expect(left).toEqual(left.toSorted((a, b) => b - a));
      expect(await storage.read.countDeletedMessages()).toBe(0);
      expect(await storage.transaction((tx) => tx.purgeDeleted({ limit: 10 }))).toBe(false);
    });

    it("a deletion in progress accepts no message, and its ids are free", async () => {
      const { storage } = fixture;
      await fill(storage);
      await storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      const late = storage.transaction((tx) => tx.putMessages([buildStoredMessage({ id: testId("msg", 7) })]));
      await expect(late).rejects.toThrow(StorageConstraintError);
      const shown = storage.transaction((tx) => tx.putConversationMessages({ ...ofExecution, messages: [buildNumberedMessage(7)] }));
      await expect(shown).rejects.toThrow(StorageConstraintError);
      // the same folder again, as a new project
      await storage.transaction((tx) => tx.insertProject({ ...project, id: testId("prj", 9) }));
      while (await storage.transaction((tx) => tx.purgeDeleted({ limit: 1 })));
      expect(await storage.read.listProjects()).toHaveLength(1);
    });

    it("deleting a project deletes its tasks and everything that belongs to them", async () => {
      await fill(fixture.storage);
      await fixture.storage.transaction((tx) => tx.deleteProject({ id: project.id }));
      expect(await listWhatIsLeft(fixture.storage)).toEqual(nothing);
      expect(await fixture.storage.read.listTasks()).toEqual([]);
      expect(await fixture.storage.read.listAttempts({ taskId: task.id })).toEqual([]);
    });
  });
}
