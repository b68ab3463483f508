// A process that runs jobs and nothing else, to be killed at any moment: `job-program.ts <options as JSON>`. Each start of a job is a line
// of `log`, written before anything else happens; each effect is a row that is stored with the job's end. The first job of a batch takes
// so long that a kill can be sure to meet it.
import { appendFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { createId, type Job, type JsonValue, nodeIdSchema } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import { createJobs } from "../../packages/server/src/jobs/create-jobs.ts";
import type { JobHandlers, RunningJob } from "../../packages/server/src/jobs/jobs.ts";
import { joinNodes } from "../../packages/server/src/nodes/join-nodes.ts";
import { silentLogger } from "../../packages/server/src/silent-logger.fixture.ts";
import { openPostgresStorage } from "../../packages/storage/src/postgres/open-postgres-storage.ts";

export interface JobProgramOptions {
  /** A file of SQLite, or the URL of a Postgres database with the id of this node. */
  database: { file: string } | { url: string; nodeId: string; leaseMs: number };
  log: string;
  /** The clock of this process: it may be wrong, and run fast. */
  clock: { startedAt: number; speed: number; offsetMs: number };
}

const { database, log, clock } = JSON.parse(process.argv[2] ?? "") as JobProgramOptions;
const now = (): number => clock.startedAt + (Date.now() - clock.startedAt) * clock.speed + clock.offsetMs;

/** Those that are not tried again, too: nothing else shows that a second start would do harm. */
const isSlow = ({ data, tries }: RunningJob): boolean => data === 0 && tries === 1;
const note = (job: RunningJob): void => appendFileSync(log, `${job.id} ${job.tries} ${process.pid} ${isSlow(job) ? "slow" : "fast"}\n`);
const effectOf = (data: JsonValue): Job => ({
  ...{ id: createId("job"), name: "effect", key: null, data, state: "done", runAt: 0, tries: 0, maxTries: 1, backoffMs: 0 },
  ...{ createdAt: 0, startedAt: null, endedAt: Number.MAX_SAFE_INTEGER, error: null, nodeId: null },
});

const work = async (job: RunningJob): Promise<void> => {
  note(job);
  await wait(isSlow(job) ? 3000 : Math.random() * 300);
  await job.complete(async (tx) => void (await tx.insertJob(effectOf(job.id))));
  await wait(Math.random() * 10);
};
const handlers: JobHandlers = {
  count: { run: work, maxTries: 1000, backoffMs: 1 },
  // a second start would do harm
  once: { run: work, maxTries: 1 },
  tick: { run: work, maxTries: 1000, backoffMs: 1 },
};

const storage =
  "file" in database
    ? await openSqliteStorage(database)
    : await openPostgresStorage({ url: database.url, node: { id: nodeIdSchema.parse(database.nodeId), leaseMs: database.leaseMs } });
if ("url" in database && storage.nodes !== undefined) {
  const settings = { leaseMs: database.leaseMs, giveUpMs: 600_000, logger: silentLogger };
  const membership = await joinNodes({ nodes: storage.nodes, name: database.nodeId, version: "1", ...settings });
  const noProgress = () => ({ agents: 0, following: 0, jobs: 0, waiting: 0, workers: 0 });
  const nothing = async (): Promise<void> => {};
  membership.start({
    release: nothing,
    reconcile: nothing,
    synchronise: nothing,
    take: () => {},
    stop: () => {},
    progress: noProgress,
    handOver: nothing,
  });
}
const jobs = createJobs({ storage, handlers, logger: silentLogger, now });
jobs.start();
// declared by each process, as at every start of a server
await jobs.schedule({ name: "tick", cron: "* * * * *", timeZone: "UTC", missed: "once" });
console.log("ready");
// its timers keep no process alive
setInterval(() => {}, 60_000);
