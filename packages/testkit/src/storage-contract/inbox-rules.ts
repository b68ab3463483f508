import type { InboxItem } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { describe, expect, it } from "vitest";
import { buildEndedExecution, buildExecution } from "../builders/build-execution.ts";
import { buildPullRequest } from "../builders/build-pull-request.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, execution, insertRunningExecution, type StorageContract, task, useStorage } from "./contract-fixture.ts";

export function describeInbox(contract: StorageContract): void {
  describe("the inbox", () => {
    const fixture = useStorage(contract);
    const ended = buildEndedExecution({ ...execution, status: "failed" });
    const item: InboxItem = { kind: "ended", id: ended.id, taskId: task.id, attemptId: attempt.id, execution: ended, clearedAt: null };

    async function insertItem(): Promise<void> {
      await fixture.storage.transaction(async (tx) => {
        await insertRunningExecution(tx);
        await tx.endExecution(ended);
        await tx.insertInboxItem({ execution: ended, at: testTime });
      });
    }

    it("[E12] an item is listed until it is cleared, and again when it is put back", async () => {
      await insertItem();
      const { read } = fixture.storage;
      expect(await read.listInboxItems()).toEqual([item]);
      expect(await read.findInboxItem({ id: ended.id })).toEqual(item);
      const cleared = { ...item, clearedAt: testTime + 1 };
      await fixture.storage.transaction(async (tx) => {
        expect(await tx.clearInboxItems({ attemptId: attempt.id, at: testTime + 1 })).toEqual([cleared]);
        expect(await tx.clearInboxItems({ taskId: task.id, at: testTime + 2 }), "cleared before").toEqual([]);
      });
      expect(await read.listInboxItems()).toEqual([]);
      expect(await read.findInboxItem({ id: ended.id })).toEqual(cleared);
      await fixture.storage.transaction(async (tx) => {
        expect(await tx.reopenInboxItem({ id: ended.id })).toEqual(item);
        expect(await tx.reopenInboxItem({ id: ended.id }), "open").toBeUndefined();
      });
      expect(await read.listInboxItems()).toEqual([item]);
    });

    it("[E12] an attempt has one open item", async () => {
      await insertItem();
      const next = buildExecution({ id: testId("exe", 2), number: 2 });
      const nextEnded = buildEndedExecution({ ...next, status: "success" });
      const insertNext = fixture.storage.transaction(async (tx) => {
        await tx.insertExecution(next);
        await tx.endExecution(nextEnded);
        await tx.insertInboxItem({ execution: nextEnded, at: testTime });
      });
      await expect(insertNext).rejects.toBeInstanceOf(StorageConstraintError);
    });

    it("[E12, G7] the feedback of a pull request is an item, next to that of an execution; a message to the attempt does not clear it", async () => {
      await insertItem();
      const { storage } = fixture;
      const stored = buildPullRequest({ inbox: { addedAt: testTime - 1, clearedAt: null }, sent: [] });
      const { number, url } = stored.pullRequest;
      const pullRequest = { ...stored.pullRequest, unsent: { checks: ["run:1"], reviews: [] } };
      const feedback: InboxItem = {
        ...{ kind: "feedback", id: attempt.id, taskId: task.id, attemptId: attempt.id, number, url },
        ...{ failedChecks: ["test"], changesRequestedBy: [], addedAt: testTime - 1, clearedAt: null },
      };
      const origin = { type: "inbox:changed", taskId: task.id, attemptId: attempt.id } as const;
      await storage.transaction(async (tx) => {
        await tx.putPullRequest({ ...stored, pullRequest });
        await tx.appendEvent({ ...origin, item: feedback }, testTime);
      });
      expect(await storage.read.listInboxItems()).toEqual([feedback, item]);
      expect(await storage.read.findInboxItem({ id: attempt.id })).toEqual(feedback);
      const lastEvent = async () => (await storage.read.listEvents({ after: 0, limit: 10 })).at(-1)?.event;
      expect(await lastEvent()).toEqual({ ...origin, item: feedback });
      const cleared = { ...feedback, clearedAt: testTime + 1 };
      await storage.transaction(async (tx) => {
        expect(await tx.clearInboxItems({ attemptId: attempt.id, at: testTime })).toMatchObject([{ id: ended.id }]);
        expect(await tx.clearInboxItems({ id: attempt.id, at: testTime + 1 })).toEqual([cleared]);
        expect(await tx.clearInboxItems({ taskId: task.id, at: testTime + 2 }), "cleared before").toEqual([]);
      });
      expect(await storage.read.findInboxItem({ id: attempt.id })).toEqual(cleared);
      expect(await lastEvent()).toEqual({ ...origin, item: cleared });
      await storage.transaction(async (tx) => {
        expect(await tx.reopenInboxItem({ id: attempt.id })).toEqual(feedback);
        expect(await tx.reopenInboxItem({ id: attempt.id }), "open").toBeUndefined();
        expect(await tx.clearInboxItems({ taskId: task.id, at: testTime + 1 })).toEqual([cleared]);
      });
      expect(await storage.read.listInboxItems()).toEqual([]);
    });

    it("[E12] its events carry the item in its current state; deleted work is in no inbox", async () => {
      await insertItem();
      await fixture.storage.transaction((tx) =>
        tx.appendEvent({ type: "inbox:changed", taskId: task.id, attemptId: attempt.id, item }, testTime),
      );
      const { read } = fixture.storage;
      const listEvents = async () => (await read.listEvents({ after: 0, limit: 10 })).map(({ event }) => event);
      expect(await listEvents()).toContainEqual({ type: "inbox:changed", taskId: task.id, attemptId: attempt.id, item });
      await fixture.storage.transaction((tx) => tx.deleteTask({ id: task.id }));
      expect(await read.listInboxItems()).toEqual([]);
      expect(await listEvents()).not.toContainEqual(expect.objectContaining({ type: "inbox:changed" }));
    });
  });
}
