import type { Job, JobSchedule } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { testId } from "../builders/test-id.ts";
import { type StorageContract, useStorage } from "./contract-fixture.ts";

const job: Job = {
  ...{ id: testId("job", 1), name: "send", key: null, data: { to: ["a"] }, state: "waiting", runAt: 10, tries: 0, maxTries: 3 },
  ...{ backoffMs: 5, createdAt: 1, startedAt: null, endedAt: null, error: null, nodeId: null },
};
const schedule: JobSchedule = {
  ...{ name: "send", key: "daily", data: null, cron: "0 0 * * *", timeZone: "Europe/Zurich", missed: "skip", nextRunAt: 5 },
  ...{ lastRunAt: null, missedRuns: 0, lastMissedAt: null },
};

export function describeJobs(contract: StorageContract): void {
  describe("jobs", () => {
    const fixture = useStorage(contract);
    const claim = (at: number, names = ["send"]) => fixture.storage.transaction((tx) => tx.claimJobs({ names, limit: 10, at }));

    it("[W2] are claimed once, not before their time, in the order of their times, and only by name", async () => {
      const { storage } = fixture;
      const later = { ...job, id: testId("job", 2), runAt: 5 };
      await storage.transaction(async (tx) => {
        for (const one of [job, later, { ...job, id: testId("job", 3), name: "other" }]) expect(await tx.insertJob(one)).toBe(true);
      });
      expect(await storage.read.findNextJobAt({ names: ["send"] })).toBe(5);
      expect(await claim(4)).toEqual([]);
      expect(await claim(5)).toMatchObject([{ id: later.id, state: "running", tries: 1, startedAt: 5 }]);
      const both = await Promise.all([claim(20), claim(20)]);
      expect(both.flat()).toMatchObject([{ id: job.id, data: job.data }]);
      expect(await storage.read.findNextJobAt({ names: ["send"] })).toBeNull();
      expect((await storage.read.listJobs({ limit: 10 })).map(({ id }) => id)).toEqual([testId("job", 3), later.id, job.id]);
      expect(await storage.read.listJobs({ state: "waiting", limit: 10 })).toMatchObject([{ name: "other" }]);
    });

    it("[W2] with the same name and key, one at most is waiting or running", async () => {
      const { storage } = fixture;
      const keyed = { ...job, key: "k" };
      const insert = (one: Job) => storage.transaction((tx) => tx.insertJob(one));
      const again = { ...keyed, id: testId("job", 2) };
      expect([await insert(keyed), await insert(again), await insert({ ...again, name: "other" })]).toEqual([true, false, true]);
      const [running] = await claim(10);
      expect(await insert({ ...again, id: testId("job", 3) })).toBe(false);
      const end = () => storage.transaction((tx) => tx.updateJob({ ...(running as Job), state: "done", endedAt: 11 }, running as Job));
      const endOther = () =>
        storage.transaction((tx) => tx.updateJob({ ...(running as Job), state: "done" }, { state: "running", tries: 2 }));
      expect([await endOther(), await end(), await end()]).toEqual([false, true, false]);
      expect(await insert({ ...again, id: testId("job", 3) })).toBe(true);
      await storage.transaction((tx) => tx.deleteEndedJobs({ before: 11 }));
      expect(await storage.read.findJob({ id: keyed.id })).toMatchObject({ state: "done" });
      await storage.transaction((tx) => tx.deleteEndedJobs({ before: 12 }));
      expect(await storage.read.findJob({ id: keyed.id })).toBeUndefined();
    });

    it("[L6] a schedule is deleted by its name and key", async () => {
      const { storage } = fixture;
      await storage.transaction(async (tx) => {
        await tx.putJobSchedule(schedule);
        await tx.putJobSchedule({ ...schedule, key: "other" });
        await tx.deleteJobSchedule({ name: schedule.name, key: schedule.key });
      });
      expect((await storage.read.listJobSchedules()).map(({ key }) => key)).toEqual(["other"]);
    });

    it("[W2] what nobody runs any more is found", async () => {
      const { storage } = fixture;
      await storage.transaction((tx) => tx.insertJob(job));
      await claim(10);
      const reclaim = (known: Job["id"][]) => storage.transaction((tx) => tx.reclaimJobs({ known }));
      expect(await reclaim([job.id])).toEqual([]);
      expect(await reclaim([])).toMatchObject([{ id: job.id, state: "running", tries: 1 }]);
    });

    it("[W2] a schedule is one row for its name and key", async () => {
      const { storage } = fixture;
      await storage.transaction((tx) => tx.putJobSchedule(schedule));
      const changed: JobSchedule = { ...schedule, nextRunAt: 9, lastRunAt: 5, missedRuns: 2, lastMissedAt: 4 };
      await storage.transaction((tx) => tx.putJobSchedule(changed));
      expect(await storage.read.listJobSchedules()).toEqual([changed]);
    });
  });
}
