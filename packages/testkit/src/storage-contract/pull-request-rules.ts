import type { StoredPullRequest } from "@skein/contracts";
import { StorageConstraintError } from "@skein/engine";
import { beforeEach, describe, expect, it } from "vitest";
import { buildPullRequest } from "../builders/build-pull-request.ts";
import { testId, testTime } from "../builders/test-id.ts";
import { attempt, insertRunningExecution, type StorageContract, task, useStorage } from "./contract-fixture.ts";

export function describePullRequests(contract: StorageContract): void {
  describe("pull requests", () => {
    const fixture = useStorage(contract);
    beforeEach(() => fixture.storage.transaction(insertRunningExecution));
    const put = (stored: StoredPullRequest) => fixture.storage.transaction((tx) => tx.putPullRequest(stored));

    it("[G7] one per attempt, replaced as a whole; those to be checked are listed by time", async () => {
      const { read } = fixture.storage;
      expect(await read.findPullRequest({ attemptId: attempt.id })).toBeUndefined();
      await put(buildPullRequest());
      expect(await read.findPullRequest({ attemptId: attempt.id })).toEqual(buildPullRequest());
      expect(await read.listWatchedPullRequests({ limit: 5 })).toEqual([buildPullRequest()]);
      const later = buildPullRequest({ nextCheckAt: null, sent: ["run:1", "line:2"], failures: 2 });
      await put(later);
      expect(await read.findPullRequest({ attemptId: attempt.id })).toEqual(later);
      expect(await read.listWatchedPullRequests({ limit: 5 })).toEqual([]);
    });

    it("[G7] lists show it with its task, and its event carries what they show", async () => {
      const { storage } = fixture;
      await put(buildPullRequest());
      const badge = {
        ...{ attemptId: attempt.id, forge: "github", number: 7, url: "https://github.com/acme/app/pull/7", state: "open" },
        ...{ checks: "failure", review: null },
      };
      const activities = await storage.read.listActivities({ taskIds: [task.id] });
      expect(activities.get(task.id)?.pullRequests).toEqual([badge]);
      const after = await storage.read.getLastSeq();
      const event = { type: "pull-request:changed", taskId: task.id, attemptId: attempt.id, pullRequest: badge } as const;
      await storage.transaction((tx) => tx.appendEvent(event as never, testTime));
      expect((await storage.read.listEvents({ after, limit: 10 })).map((one) => one.event)).toEqual([event]);
    });

    it.each([
      ["an attempt that does not exist", { attemptId: testId("att", 9) }],
      ["a negative count of failures", { failures: -1 }],
    ])("[G7] one with %s is rejected", async (_what, overrides) => {
      await expect(put(buildPullRequest(overrides))).rejects.toBeInstanceOf(StorageConstraintError);
    });

    it("[G7] it is deleted with its attempt", async () => {
      await put(buildPullRequest());
      await fixture.storage.transaction((tx) => tx.deleteAttempt({ id: attempt.id }));
      expect(await fixture.storage.read.findPullRequest({ attemptId: attempt.id })).toBeUndefined();
    });
  });
}
