import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createId, type Job } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabases, testServerUrl } from "../../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { openPostgresStorage } from "../../packages/storage/src/postgres/open-postgres-storage.ts";
import { isLong } from "../support/long.ts";
import { newFolder } from "../support/repository.ts";
import type { JobProgramOptions } from "./job-program.ts";

const program = join(import.meta.dirname, "job-program.ts");
const kills = isLong ? 60 : 8;
/** Stored before each kill. */
const batch = 10;
const leaseMs = 1500;
/** A minute of the clock is half a second. */
const speed = 120;
const list = { limit: 100_000 };

/** Processes that are killed and paused. */
function createRunner(options: JobProgramOptions) {
  let child: ChildProcess | undefined;
  const hasEnded = () => child === undefined || child.exitCode !== null || child.signalCode !== null;
  const runner = {
    /** Resolves when it runs jobs. */
    async start(changes: Partial<JobProgramOptions> = {}): Promise<void> {
      const args = ["--disable-warning=ExperimentalWarning", program, JSON.stringify({ ...options, ...changes })];
      const started = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      child = started;
      await Promise.race([once(started.stdout, "data"), once(started, "exit")]);
      if (started.exitCode !== null) throw new Error(`the process ended with ${started.exitCode}`);
    },
    async kill(): Promise<void> {
      if (hasEnded()) return;
      const exited = child && once(child, "exit");
      child?.kill("SIGKILL");
      await exited;
    },
    /** Whether it begins a job that takes seconds, within a second from now. */
    async isSoonBusy(): Promise<boolean> {
      const countBegun = () => (existsSync(options.log) ? readFileSync(options.log, "utf8").split(` ${child?.pid} slow\n`).length : 1);
      const before = countBegun();
      for (let tries = 0; tries < 100 && countBegun() === before; tries++) await wait(10);
      return countBegun() > before;
    },
    async pause(ms: number): Promise<void> {
      child?.kill("SIGSTOP");
      await wait(ms);
      child?.kill("SIGCONT");
    },
  };
  onTestFinished(runner.kill);
  return runner;
}

function newJob(name: string, index: number): Job {
  const tries = { tries: 0, maxTries: name === "once" ? 1 : 1000, backoffMs: 1 };
  return {
    ...{ id: createId("job"), name, key: null, data: index, state: "waiting", runAt: index, ...tries },
    ...{ createdAt: 0, startedAt: null, endedAt: null, error: null, nodeId: null },
  };
}

/** The number of jobs that it stored of each name. */
async function store(storage: Storage): Promise<number> {
  await storage.transaction(async (tx) => {
    for (let index = 0; index < batch; index++) for (const name of ["count", "once"]) await tx.insertJob(newJob(name, index));
  });
  return batch;
}

const countOpen = async (storage: Storage): Promise<number> => {
  const all = await storage.read.listJobs(list);
  return all.filter(({ name, state }) => name !== "tick" && (state === "waiting" || state === "running")).length;
};

/** Everything happened once: what is stored, against the lines that the processes have written. */
async function expectOnce(storage: Storage, log: string, stored: number): Promise<{ cutOff: number }> {
  const all = await storage.read.listJobs(list);
  const of = (name: string) => all.filter((job) => job.name === name);
  const starts = Map.groupBy(readFileSync(log, "utf8").trim().split("\n"), (line) => line.split(" ")[0] ?? "");
  const effects = Map.groupBy(of("effect"), ({ data }) => String(data));
  for (const [id, lines] of starts) {
    // each try was begun by one process
    const tries = lines.map((line) => line.split(" ")[1]);
    expect(new Set(tries).size, id).toBe(tries.length);
  }
  for (const { id, state, name, tries } of [...of("count"), ...of("once"), ...of("tick")]) {
    const ends = effects.get(id)?.length ?? 0;
    // the effect is there exactly if the job is done, and once
    expect(ends, `${name} ${id} (${state})`).toBe(state === "done" ? 1 : 0);
    if (state === "done") expect(starts.get(id)?.length ?? 0).toBeGreaterThan(0);
    if (name === "once") expect([tries, (starts.get(id)?.length ?? 0) <= 1]).toEqual([1, true]);
  }
  expect(of("count").map(({ state }) => state)).toEqual(Array.from({ length: stored }, () => "done"));
  const cutOff = of("once").filter(({ state }) => state === "failed");
  for (const { error } of cutOff) expect(error).toBe("The server that ran it was ended.");
  expect(of("once").every(({ state }) => state === "done" || state === "failed")).toBe(true);
  const [schedule] = await storage.read.listJobSchedules();
  expect(schedule).toMatchObject({ name: "tick" });
  expect(of("tick").length).toBeGreaterThan(0);
  return { cutOff: cutOff.length + of("count").filter(({ tries }) => tries > 1).length };
}

describe("[Q21, W2] jobs under kill -9", () => {
  test(`of one server, ${kills} times: each effect once; a job with one try is never started twice, and says that it was cut off`, {
    timeout: 600_000,
    retry: 0,
  }, async () => {
    const folder = newFolder("jobs");
    const [file, log] = [join(folder, "skein.db"), join(folder, "log")];
    const storage = await openSqliteStorage({ file });
    onTestFinished(() => storage.close());
    const startedAt = Date.now();
    const runner = createRunner({ database: { file }, log, clock: { startedAt, speed, offsetMs: 0 } });
    let stored = 0;
    for (let kill = 0; kill < kills; kill++) {
      stored += await store(storage);
      // the clock is wrong by an hour in every third start: ahead, then behind
      const offsetMs = [0, 3_600_000, -3_600_000][kill % 3] ?? 0;
      await runner.start({ clock: { startedAt, speed, offsetMs } });
      await wait(Math.random() * 300);
      await runner.kill();
    }
    await runner.start();
    await vi.waitFor(async () => expect(await countOpen(storage)).toBe(0), { timeout: 120_000, interval: 200 });
    await runner.kill();
    const { cutOff } = await expectOnce(storage, log, stored);
    // otherwise the kills have hit nothing
    expect(cutOff).toBeGreaterThan(0);
  });

  describe.skipIf(testServerUrl === undefined)("of several servers", () => {
    const databases = createTestDatabases();

    test(`that race for the same jobs, with ${kills} kills and pauses: each effect once, nothing is left behind`, {
      timeout: 900_000,
      retry: 0,
    }, async () => {
      const url = await databases.create();
      const log = join(newFolder("jobs"), "log");
      const storage = await openPostgresStorage({ url });
      onTestFinished(() => storage.close());
      const startedAt = Date.now();
      const runners = [0, 1, 2].map((index) =>
        createRunner({
          database: { url, nodeId: createId("nod"), leaseMs },
          log,
          // their clocks differ by more than the time between two runs of the schedule
          clock: { startedAt, speed, offsetMs: index * 90_000 },
        }),
      );
      await Promise.all(runners.map((runner) => runner.start()));
      let stored = 0;
      for (let kill = 0; kill < kills; kill++) {
        const victim = runners[kill % runners.length];
        stored += await store(storage);
        await wait(Math.random() * 400);
        if (kill % 2 === 1) await victim?.pause(Math.random() * 2 * leaseMs);
        else {
          // one in three kills meets a running job for certain, whatever the speed of the machine; the others come at any moment
          if (kill % 3 === 0) while (!(await victim?.isSoonBusy())) stored += await store(storage);
          await victim?.kill();
          // some come back before their lease has ended
          await wait(Math.random() * 2 * leaseMs);
          await victim?.start();
        }
      }
      await vi.waitFor(async () => expect(await countOpen(storage)).toBe(0), { timeout: 240_000, interval: 200 });
      for (const runner of runners) await runner.kill();
      const { cutOff } = await expectOnce(storage, log, stored);
      expect(cutOff).toBeGreaterThan(0);
    });
  });
});
