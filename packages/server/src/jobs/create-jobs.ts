import { setTimeout as wait } from "node:timers/promises";
import { createId, findStorageFault, type Job, type JobId, type JobSchedule } from "@skein/contracts";
import { ServiceError, type Storage, type StorageTransaction } from "@skein/engine";
import type { Logger } from "../logger.ts";
import type { JobHandler, JobHandlers, Jobs } from "./jobs.ts";
import { evaluateSchedule, findNextRun, toRunId, wasSetBack } from "./next-run.ts";

const jobsAtOnce = 4;
const defaultTries = 5;
const defaultBackoffMs = 10_000;
const longestBackoffMs = 60 * 60_000;
/** Timers notice neither a clock that is changed nor a machine that sleeps. */
const longestWaitMs = 60_000;
/** Another server may have stored or cancelled a job, or left one behind. */
const sharedWaitMs = 10_000;
const retryMs = 5000;
const commitsWithinMs = [50, 500, 3000, 20_000];
const listed = 200;

interface Current {
  job: Job;
  ending: AbortController;
  over: Promise<void>;
}

/**
 * Jobs are rows. A server claims a due one in a transaction, and only its owner can end it: transactions of a server that was considered
 * lost are rejected. What was claimed by a server that is gone is tried again.
 */
export function createJobs(input: {
  storage: Storage;
  handlers: JobHandlers;
  logger: Logger;
  now(): number;
  /** Whether other servers do the work that is due. Default: no. */
  leavesToOthers?(): boolean;
}): Jobs {
  const { storage, handlers, logger, now } = input;
  const names = Object.keys(handlers);
  const current = new Map<JobId, Current>();
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isWanted = false;
  let isStarted = false;
  let isClosed = false;
  const closing = new AbortController();

  function toJob(wanted: Parameters<Jobs["enqueue"]>[0]): Job {
    const { maxTries = defaultTries, backoffMs = defaultBackoffMs } = handlers[wanted.name] ?? {};
    const at = now();
    return {
      ...{ id: createId("job", at), name: wanted.name, key: wanted.key ?? null, data: wanted.data ?? null, state: "waiting" },
      ...{
        runAt: wanted.runAt ?? at,
        tries: 0,
        maxTries,
        backoffMs,
        createdAt: at,
        startedAt: null,
        endedAt: null,
        error: null,
        nodeId: null,
      },
    };
  }

  function wake(): void {
    if (!isStarted || isClosed) return;
    isWanted = true;
    clearTimeout(timer);
    working ??= workWhileWanted().finally(() => {
      working = undefined;
    });
  }

  /** A transaction of the caller is committed later, and does not say when: often in a moment, on a busy machine in seconds. */
  function wakeOnceCommitted(): void {
    setImmediate(wake);
    for (const ms of commitsWithinMs) setTimeout(wake, ms).unref();
  }

  async function workWhileWanted(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false;
      try {
        await abortCancelled();
        await reclaim();
        await startSchedules();
        await claim();
        await arm();
      } catch (error) {
        logger.warn("jobs could not be looked for", { error });
        armWithin(retryMs);
      }
    }
  }

  async function abortCancelled(): Promise<void> {
    for (const [id, { job, ending }] of current) {
      const stored = await storage.read.findJob({ id });
      // cancelled, or taken for dead and tried again
      if (stored?.state !== "running" || stored.tries !== job.tries) ending.abort();
    }
  }

  /** Runs again what a lost server was doing. */
  async function reclaim(): Promise<void> {
    const running = await storage.read.listJobs({ state: "running", limit: listed });
    if (running.every(({ id }) => current.has(id))) return;
    await storage.transaction(async (tx) => {
      for (const job of await tx.reclaimJobs({ known: [...current.keys()] })) {
        logger.warn("a job was cut off", { jobId: job.id, name: job.name });
        await tx.updateJob(toFailed(job, "The server that ran it was ended.", now()), job);
      }
    });
  }

  async function startSchedules(): Promise<void> {
    const isDue = (schedule: JobSchedule) => names.includes(schedule.name) && (schedule.nextRunAt <= now() || wasSetBack(schedule, now()));
    if (!(await storage.read.listJobSchedules()).some(isDue)) return;
    await storage.transaction(async (tx) => {
      for (const schedule of (await tx.listJobSchedules()).filter(isDue)) {
        if (schedule.nextRunAt > now()) {
          const nextRunAt = await findNextRun(schedule, now());
          if (nextRunAt < schedule.nextRunAt) await tx.putJobSchedule({ ...schedule, nextRunAt });
          continue;
        }
        const { runs, missed, last, nextRunAt } = await evaluateSchedule(schedule, now());
        const { name, key, data } = schedule;
        const id = toRunId(schedule, last);
        if (runs && (await tx.findJob({ id })) !== undefined) {
          // started before the clock was set back
          await tx.putJobSchedule({ ...schedule, nextRunAt });
          continue;
        }
        const isStored = runs && (await tx.insertJob({ ...toJob({ name, key: `schedule:${key}`, data }), id }));
        // the previous run has not ended
        const missedNow = missed + (runs && !isStored ? 1 : 0);
        await tx.putJobSchedule({
          ...schedule,
          nextRunAt,
          ...(isStored ? { lastRunAt: now() } : {}),
          ...(missedNow === 0 ? {} : { missedRuns: schedule.missedRuns + missedNow, lastMissedAt: now() }),
        });
        if (missedNow > 0) logger.warn("scheduled runs were missed", { name, key, missed: missedNow });
      }
    });
  }

  async function claim(): Promise<void> {
    if (input.leavesToOthers?.()) return;
    const limit = jobsAtOnce - current.size;
    const next = limit > 0 ? await storage.read.findNextJobAt({ names }) : null;
    if (next === null || next > now()) return;
    for (const job of await storage.transaction((tx) => tx.claimJobs({ names, limit, at: now() }))) {
      const ending = new AbortController();
      // an earlier try, which was taken for dead
      current.get(job.id)?.ending.abort();
      const over = run(job, ending).finally(() => {
        if (current.get(job.id)?.ending === ending) current.delete(job.id);
        wake();
      });
      current.set(job.id, { job, ending, over });
    }
  }

  async function run(job: Job, ending: AbortController): Promise<void> {
    let isComplete = false;
    const end = (tx: StorageTransaction) => tx.updateJob({ ...job, state: "done", endedAt: now(), error: null }, job);
    try {
      await (handlers[job.name] as JobHandler).run({
        ...{ id: job.id, data: job.data, tries: job.tries, signal: ending.signal },
        async complete(work) {
          await storage.transaction(async (tx) => {
            if (!(await end(tx))) throw new ServiceError("conflict", { code: "job-over" });
            await work(tx);
          });
          isComplete = true;
        },
      });
      if (!isComplete) await keep(ending.signal.aborted ? toPostponed(job, now()) : undefined);
    } catch (error) {
      if (isComplete) return logger.error("a job failed after its end", { jobId: job.id, name: job.name, error });
      if (!ending.signal.aborted) logger.warn("a job failed", { jobId: job.id, name: job.name, tries: job.tries, error });
      const why = error instanceof Error ? error.message : String(error);
      await keep(ending.signal.aborted ? toPostponed(job, now()) : toFailed(job, why, now()));
    }

    /** While nothing can be stored, it is tried again: otherwise a job that was done would be found as cut off later. */
    async function keep(changed: Job | undefined): Promise<void> {
      for (let isSaved = false; !isSaved; ) {
        try {
          await storage.transaction((tx) => (changed === undefined ? end(tx) : tx.updateJob(changed, job)));
          isSaved = true;
        } catch (error) {
          logger.warn("the end of a job could not be saved", { jobId: job.id, name: job.name, error });
          if (isClosed || findStorageFault(error) === undefined) return;
          await wait(retryMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
        }
      }
    }
  }

  async function arm(): Promise<void> {
    const schedules = await storage.read.listJobSchedules();
    const next = await storage.read.findNextJobAt({ names });
    const times = [
      ...(next === null ? [] : [next]),
      ...schedules.flatMap(({ name, nextRunAt }) => (names.includes(name) ? [nextRunAt] : [])),
    ];
    const longest = storage.nodes === undefined ? longestWaitMs : sharedWaitMs;
    const isFull = current.size >= jobsAtOnce;
    if (times.length > 0 || storage.nodes !== undefined) armWithin(isFull ? longest : Math.min(longest, Math.min(...times) - now()));
  }

  function armWithin(ms: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(wake, Math.max(0, ms)).unref();
  }

  return {
    async enqueue(wanted, tx) {
      const job = toJob(wanted);
      const isStored = tx === undefined ? await storage.transaction((own) => own.insertJob(job)) : await tx.insertJob(job);
      if (tx === undefined) wake();
      else wakeOnceCommitted();
      return isStored ? job.id : undefined;
    },
    async schedule({ name, key = "", data = null, cron, timeZone, missed }, outer) {
      const wanted = { data, cron, timeZone, missed };
      const pick = (one: typeof wanted): string => JSON.stringify([one.data, one.cron, one.timeZone, one.missed]);
      const find = async (reader: Pick<Storage["read"], "listJobSchedules">) =>
        (await reader.listJobSchedules()).find((one) => one.name === name && one.key === key);
      const known = await find(outer ?? storage.read);
      if (known === undefined || pick(known) !== pick(wanted)) {
        const nextRunAt = await findNextRun(wanted, now());
        const put = async (tx: StorageTransaction) => {
          const before = await find(tx);
          const counts = {
            lastRunAt: before?.lastRunAt ?? null,
            missedRuns: before?.missedRuns ?? 0,
            lastMissedAt: before?.lastMissedAt ?? null,
          };
          await tx.putJobSchedule({ name, key, ...wanted, nextRunAt, ...counts });
        };
        await (outer === undefined ? storage.transaction(put) : put(outer));
      }
      if (outer === undefined) wake();
      else wakeOnceCommitted();
    },
    async unschedule(schedule, tx) {
      await (tx === undefined ? storage.transaction((own) => own.deleteJobSchedule(schedule)) : tx.deleteJobSchedule(schedule));
    },
    async cancel(id) {
      await storage.transaction(async (tx) => {
        const job = await tx.findJob({ id });
        if (job === undefined) throw new ServiceError("not-found", { code: "job-not-found", id });
        const isOpen = job.state === "waiting" || job.state === "running";
        if (!isOpen || !(await tx.updateJob({ ...job, state: "cancelled", endedAt: now() }, job))) {
          throw new ServiceError("conflict", { code: "job-over" });
        }
      });
      current.get(id)?.ending.abort();
      wake();
    },
    async list() {
      return { jobs: await storage.read.listJobs({ limit: listed }), schedules: await storage.read.listJobSchedules() };
    },
    countRunning: () => current.size,
    start() {
      isStarted = true;
      wake();
    },
    async close() {
      isClosed = true;
      closing.abort();
      clearTimeout(timer);
      await working;
      for (const { ending } of current.values()) ending.abort();
      await Promise.all([...current.values()].map(({ over }) => over));
    },
  };
}

function toFailed(job: Job, error: string, at: number): Job {
  if (job.tries >= job.maxTries) return { ...job, state: "failed", error, endedAt: at };
  const waitMs = Math.min(longestBackoffMs, job.backoffMs * 2 ** (job.tries - 1));
  return { ...job, state: "waiting", error, runAt: at + waitMs, nodeId: null };
}

/** The server ended it, so the try does not count. */
function toPostponed(job: Job, at: number): Job {
  return { ...job, state: "waiting", tries: job.tries - 1, runAt: at, nodeId: null };
}
