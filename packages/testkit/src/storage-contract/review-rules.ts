import type { Landing, StoredComment } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { beforeEach, describe, expect, it } from "vitest";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, insertRunningExecution, type StorageContract, task, useStorage } from "./contract-fixture.ts";

function buildComment(overrides: Partial<StoredComment> = {}): StoredComment {
  return {
    ...{ id: testId("cmt"), taskId: task.id, attemptId: attempt.id, path: "src/a.ts", side: "new", startLine: 3, endLine: 4 },
    ...{ quote: "let a;\nlet b;", body: "Why two?", state: "draft", executionId: null, createdAt: testTime, updatedAt: testTime },
    ...overrides,
  };
}

const commit = "a".repeat(40);
const landing: Landing = { method: "squash", branch: "main", commit, previous: "b".repeat(40), head: "c".repeat(40), landedAt: testTime };
export function describeReviews(contract: StorageContract): void {
  describe("reviews", () => {
    const fixture = useStorage(contract);
    beforeEach(() => fixture.storage.transaction(insertRunningExecution));

    it("[G1] comments are listed in the order they were written in, by state, and are replaced and deleted by id", async () => {
      const { read } = fixture.storage;
      const first = buildComment();
      const second = buildComment({ id: testId("cmt", 2), path: null, startLine: null, endLine: null, quote: "", createdAt: testTime + 1 });
      await fixture.storage.transaction(async (tx) => {
        await tx.putComment(second);
        await tx.putComment(first);
      });
      expect(await read.listComments({ attemptId: attempt.id })).toEqual([first, second]);
      const sent: StoredComment = { ...first, state: "sent", executionId: testId("exe"), updatedAt: testTime + 5 };
      await fixture.storage.transaction((tx) => tx.putComment(sent));
      expect(await read.findComment({ id: first.id })).toEqual(sent);
      expect(await read.listComments({ attemptId: attempt.id, state: "draft" })).toEqual([second]);
      expect(await fixture.storage.transaction((tx) => tx.deleteComment({ id: second.id }))).toBe(true);
      expect(await fixture.storage.transaction((tx) => tx.deleteComment({ id: second.id }))).toBe(false);
      expect(await read.listComments({ attemptId: attempt.id })).toEqual([sent]);
    });

    it.each([
      ["lines without a path", { path: null }],
      ["an end before its start", { startLine: 4, endLine: 3 }],
      ["a start without an end", { endLine: null }],
      ["an attempt that does not exist", { attemptId: testId("att", 9) }],
    ])("[G1] a comment with %s is rejected", async (_what, overrides) => {
      const put = fixture.storage.transaction((tx) => tx.putComment(buildComment(overrides)));
      await expect(put).rejects.toBeInstanceOf(StorageConstraintError);
    });

    it("[G1] a file is viewed with one content", async () => {
      const { read } = fixture.storage;
      await fixture.storage.transaction(async (tx) => {
        await tx.putViewedFile({ attemptId: attempt.id, path: "b", contentId: "1" });
        await tx.putViewedFile({ attemptId: attempt.id, path: "a", contentId: "1" });
        await tx.putViewedFile({ attemptId: attempt.id, path: "b", contentId: "2" });
      });
      expect(await read.listViewedFiles({ attemptId: attempt.id })).toEqual([
        { path: "a", contentId: "1" },
        { path: "b", contentId: "2" },
      ]);
      await fixture.storage.transaction((tx) => tx.deleteViewedFile({ attemptId: attempt.id, path: "a" }));
      expect(await read.listViewedFiles({ attemptId: attempt.id })).toEqual([{ path: "b", contentId: "2" }]);
    });

    it("[G5] an attempt has one landing", async () => {
      const { read } = fixture.storage;
      const attemptId = attempt.id;
      expect(await read.findLanding({ attemptId })).toBeUndefined();
      await fixture.storage.transaction(async (tx) => {
        await tx.putLanding({ attemptId, landing });
        await tx.putLanding({ attemptId, landing: { ...landing, method: "merge" } });
      });
      expect(await read.findLanding({ attemptId })).toEqual({ ...landing, method: "merge" });
      await fixture.storage.transaction((tx) => tx.deleteLanding({ attemptId }));
      expect(await read.findLanding({ attemptId })).toBeUndefined();
    });

    it("[G1, G5] all of it goes with its attempt; events name the attempt", async () => {
      const { read } = fixture.storage;
      const ofAttempt = { taskId: task.id, attemptId: attempt.id };
      await fixture.storage.transaction(async (tx) => {
        await tx.putComment(buildComment());
        await tx.putViewedFile({ attemptId: attempt.id, path: "a", contentId: "1" });
        await tx.putLanding({ attemptId: attempt.id, landing });
        await tx.appendEvent({ type: "review:changed", ...ofAttempt }, testTime);
        await tx.appendEvent({ type: "git:changed", ...ofAttempt }, testTime);
      });
      const events = (await read.listEvents({ after: 0, limit: 10 })).map(({ event }) => event);
      expect(events).toContainEqual({ type: "review:changed", ...ofAttempt });
      expect(events).toContainEqual({ type: "git:changed", ...ofAttempt });
      await fixture.storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
      expect(await read.findComment({ id: testId("cmt") })).toBeUndefined();
      expect(await read.listViewedFiles({ attemptId: attempt.id })).toEqual([]);
      expect(await read.findLanding({ attemptId: attempt.id })).toBeUndefined();
    });
  });
}
