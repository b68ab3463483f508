import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { silentLogger } from "../silent-logger.fixture.ts";
import { createJobs } from "./create-jobs.ts";
import type { JobHandlers, RunningJob } from "./jobs.ts";
import { evaluateSchedule, findNextRun } from "./next-run.ts";

const hourMs = 60 * 60_000;
const start = Date.parse("2026-03-28T12:00:00Z");

async function open(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), "skein-jobs-"));
  const storage = await openSqliteStorage({ file: join(folder, "skein.db") });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  return storage;
}

/** However busy the machine is. */
const eventually = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 20_000 });

/** Jobs with a clock of their own. */
function run(storage: Storage, handlers: JobHandlers, clock = { now: start }) {
  const jobs = createJobs({ storage, handlers, logger: silentLogger, now: () => clock.now });
  onTestFinished(() => jobs.close());
  const state = async (id: string | undefined) => (await storage.read.findJob({ id: id as Job["id"] }))?.state;
  /** Looks again at another time. */
  const at = async (time: number) => {
    clock.now = time;
    jobs.start();
  };
  return { jobs, clock, state, at };
}

const untilAborted = ({ signal }: RunningJob) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

describe("[W2] jobs", () => {
  it("run at their time, once, with their data; what they change is saved with their end", async () => {
    const storage = await open();
    const seen: unknown[] = [];
    const { jobs, state, at } = run(storage, {
      note: {
        run: async ({ data, complete }) => {
          seen.push(data);
          await complete(
            async (tx) =>
              void (await tx.insertJob({
                ...((
                  await tx.listJobs({ limit: 1 })
                )[0] as Job),
                id: "job_effect" as never,
                name: "effect",
                key: null,
                state: "waiting",
                endedAt: null,
              })),
          );
        },
      },
    });
    const id = await jobs.enqueue({ name: "note", data: { a: 1 }, runAt: start + hourMs });
    await at(start);
    expect([await state(id), seen]).toEqual(["waiting", []]);
    await at(start + hourMs);
    await eventually(async () => expect(await state(id)).toBe("done"));
    expect([seen, await state("job_effect")]).toEqual([[{ a: 1 }], "waiting"]);
  });

  it("that fail are tried again, later each time, and given up after the last try with the reason", async () => {
    const storage = await open();
    const fails = vi.fn(async () => Promise.reject(new Error("no network")));
    const { jobs, state, at, clock } = run(storage, { send: { run: fails, maxTries: 3, backoffMs: 1000 } });
    jobs.start();
    const id = await jobs.enqueue({ name: "send" });
    const waits: number[] = [];
    for (const tries of [1, 2]) {
      await eventually(async () => expect(await storage.read.findJob({ id: id as Job["id"] })).toMatchObject({ state: "waiting", tries }));
      const { runAt } = (await storage.read.findJob({ id: id as Job["id"] })) as Job;
      waits.push(runAt - clock.now);
      await at(runAt);
    }
    await eventually(async () => expect(await state(id)).toBe("failed"));
    expect(waits).toEqual([1000, 2000]);
    expect(fails).toHaveBeenCalledTimes(3);
    expect((await jobs.list()).jobs).toMatchObject([{ id, state: "failed", error: "no network", tries: 3 }]);
  });

  it("with a key are not stored twice; a running one is aborted by its cancellation, and a waiting one never runs", async () => {
    const storage = await open();
    const { jobs, state } = run(storage, { long: { run: untilAborted } });
    jobs.start();
    const id = await jobs.enqueue({ name: "long", key: "k" });
    expect(await jobs.enqueue({ name: "long", key: "k" })).toBeUndefined();
    await eventually(async () => expect(await state(id)).toBe("running"));
    await jobs.cancel(id as Job["id"]);
    expect(await state(id)).toBe("cancelled");
    await expect(jobs.cancel(id as Job["id"])).rejects.toMatchObject({ code: "job-over" });
    const next = await jobs.enqueue({ name: "long", key: "k", runAt: start + hourMs });
    await jobs.cancel(next as Job["id"]);
    expect(await state(next)).toBe("cancelled");
  });

  it("that a killed server was running are tried again by the next one, those of a server that closes without counting the try", async () => {
    const storage = await open();
    const first = run(storage, { long: { run: untilAborted, maxTries: 2, backoffMs: 0 }, once: { run: untilAborted, maxTries: 1 } });
    // as if the process ended here
    await storage.transaction(async (tx) => {
      for (const [name, maxTries] of [
        ["long", 2],
        ["once", 1],
      ] as const) {
        await tx.insertJob({
          ...{ id: `job_${name}` as never, name, key: null, data: null, state: "waiting", runAt: start, tries: 0, maxTries, backoffMs: 0 },
          ...{ createdAt: start, startedAt: null, endedAt: null, error: null, nodeId: null },
        });
      }
      await tx.claimJobs({ names: ["long", "once"], limit: 9, at: start });
    });
    first.jobs.start();
    await eventually(async () =>
      expect(await storage.read.findJob({ id: "job_long" as never })).toMatchObject({ state: "running", tries: 2 }),
    );
    expect(await storage.read.findJob({ id: "job_once" as never })).toMatchObject({ state: "failed", tries: 1 });
    await first.jobs.close();
    expect(await storage.read.findJob({ id: "job_long" as never })).toMatchObject({ state: "waiting", tries: 1 });
  });

  it("[Q21] a run that was taken for dead can no longer end its job, and is aborted", async () => {
    const storage = await open();
    const runs: RunningJob[] = [];
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outcomes: string[] = [];
    const handlers: JobHandlers = {
      slow: {
        backoffMs: 0,
        async run(job) {
          runs.push(job);
          await gates[job.tries - 1]?.promise;
          await job
            .complete(async () => {})
            .then(
              () => outcomes.push(`${job.tries} done`),
              (error: { code?: string }) => outcomes.push(`${job.tries} ${error.code}`),
            );
        },
      },
    };
    const first = run(storage, handlers);
    first.jobs.start();
    const id = await first.jobs.enqueue({ name: "slow" });
    await eventually(() => expect(runs).toHaveLength(1));
    // as another server does that has marked this one as lost
    await storage.transaction(async (tx) => {
      for (const job of await tx.reclaimJobs({ known: [] })) await tx.updateJob({ ...job, state: "waiting" }, job);
    });
    first.jobs.start();
    await eventually(() => expect(runs.map(({ tries }) => tries)).toEqual([1, 2]));
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    gates[0]?.resolve();
    await eventually(() => expect(outcomes).toEqual(["1 job-over"]));
    // the end of the first does not make the second an orphan
    first.jobs.start();
    await first.jobs.enqueue({ name: "slow", runAt: start + hourMs });
    expect(await first.state(id)).toBe("running");
    gates[1]?.resolve();
    await eventually(async () => expect(await first.state(id)).toBe("done"));
    expect(outcomes).toEqual(["1 job-over", "2 done"]);
  });

  it("[Q21] of a schedule: each time is started once, however the clock is changed, and the schedule goes on", async () => {
    const storage = await open();
    const done = vi.fn(async () => {});
    const { jobs, at, clock } = run(storage, { daily: { run: done } });
    await jobs.schedule({ name: "daily", cron: "0 3 * * *", timeZone: "UTC", missed: "once" });
    const next = async () => new Date((await jobs.list()).schedules[0]?.nextRunAt ?? 0).toISOString();
    const look = async (text: string, runs: number) => {
      await at(Date.parse(text));
      await eventually(() => expect(done).toHaveBeenCalledTimes(runs));
    };
    await look("2026-03-29T03:00:00Z", 1);
    // corrected by two seconds, the same time comes again
    await look("2026-03-29T02:59:58Z", 1);
    await eventually(async () => expect(await next()).toBe("2026-03-29T03:00:00.000Z"));
    await look("2026-03-29T03:00:00Z", 1);
    await eventually(async () => expect(await next()).toBe("2026-03-30T03:00:00.000Z"));
    // a year ahead by mistake: one run, for the times that seem to be missed
    await look("2027-03-29T12:00:00Z", 2);
    await look("2026-03-29T12:00:00Z", 2);
    await eventually(async () => expect(await next()).toBe("2026-03-30T03:00:00.000Z"));
    await look("2026-03-30T03:00:00Z", 3);
    await look("2026-03-31T03:00:10Z", 4);
    // this time was started before
    await look("2027-03-29T03:00:00Z", 4);
    await eventually(async () => expect(await next()).toBe("2027-03-30T03:00:00.000Z"));
    expect(clock.now).toBe(Date.parse("2027-03-29T03:00:00Z"));
  });

  it("of a schedule run at its times; missed runs are counted, and made up for once or skipped", async () => {
    const storage = await open();
    const done = vi.fn(async () => {});
    const { jobs, at, clock } = run(storage, { daily: { run: done }, skipped: { run: done } });
    const plan = { cron: "0 3 * * *", timeZone: "Europe/Zurich" };
    await jobs.schedule({ name: "daily", ...plan, missed: "once" });
    await jobs.schedule({ name: "skipped", ...plan, missed: "skip" });
    const schedules = async () => (await jobs.list()).schedules;
    // 29 March 2026: 03:00 is 01:00 in UTC, because summer time begins
    expect((await schedules()).map(({ nextRunAt }) => new Date(nextRunAt).toISOString())).toEqual(
      Array(2).fill("2026-03-29T01:00:00.000Z"),
    );
    await at(Date.parse("2026-03-29T01:00:00Z"));
    await eventually(() => expect(done).toHaveBeenCalledTimes(2));
    // nobody ran on the two days after
    await at(Date.parse("2026-04-01T00:00:00Z"));
    await eventually(() => expect(done).toHaveBeenCalledTimes(3));
    expect(await schedules()).toMatchObject([
      { name: "daily", missedRuns: 1, lastRunAt: clock.now },
      { name: "skipped", missedRuns: 2, lastMissedAt: clock.now },
    ]);
    // declared again, as at every start
    const before = await schedules();
    await jobs.schedule({ name: "daily", ...plan, missed: "once" });
    expect(await schedules()).toEqual(before);
    await expect(jobs.schedule({ name: "daily", cron: "61 * * * *", timeZone: "UTC", missed: "skip" })).rejects.toThrow();
    await expect(findNextRun({ cron: "0 3 * * *", timeZone: "Mars/Base" }, start)).rejects.toThrow();
    const forgotten = { ...(before[0] as (typeof before)[number]), cron: "* * * * *", nextRunAt: start };
    expect(await evaluateSchedule(forgotten, start + 365 * 24 * hourMs)).toMatchObject({ runs: true, missed: 999 });
  });
});
