import type { Job, JobId, JobList, JobSchedule, JsonValue } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";

/** A job that this server runs now. */
export interface RunningJob {
  readonly id: JobId;
  readonly data: JsonValue;
  /** 1 for the first. */
  readonly tries: number;
  /** Aborted when the job is cancelled, or the server closes: then it runs again at the next start. */
  readonly signal: AbortSignal;
  /**
   * Ends the job in the same transaction as its effect, so that both happen, once, or neither. Rejects, and has no effect, if the job was
   * cancelled or belongs to another server by now. A job that returns without it is ended afterwards.
   */
  complete(work: (tx: StorageTransaction) => Promise<void>): Promise<void>;
}

/** What a job of a name does. A try that rejects is repeated, up to `maxTries`. */
export interface JobHandler {
  run(job: RunningJob): Promise<void>;
  /** Default: 5. With 1, a job that was cut off by a kill is not run again. */
  maxTries?: number;
  /** Wait before the second try; it doubles with each further one, up to an hour. Default: 10 seconds. */
  backoffMs?: number;
}

/** Work to be done at a time, once: of several servers that share the database, one does it. What is stored survives a kill. */
export interface Jobs {
  /**
   * Stores a job; with `tx`, as part of that transaction. Undefined if one with the same name and key is waiting or running.
   * @param job.runAt not before; default: now
   */
  enqueue(job: { name: string; key?: string; data?: JsonValue; runAt?: number }, tx?: StorageTransaction): Promise<JobId | undefined>;
  /** Starts a job at the times of a cron expression. Declaring the same schedule again changes nothing. With `tx`, as part of that transaction. */
  schedule(
    schedule: Pick<JobSchedule, "name" | "cron" | "timeZone" | "missed"> & { key?: string; data?: JsonValue },
    tx?: StorageTransaction,
  ): Promise<void>;
  /** Starts no more jobs by this schedule, if there is one. */
  unschedule(schedule: Pick<JobSchedule, "name" | "key">, tx?: StorageTransaction): Promise<void>;
  /** A waiting job is not run; a running one is aborted. Throws `job-not-found`, `job-over`. */
  cancel(id: JobId): Promise<void>;
  list(): Promise<JobList>;
  /** How many jobs this server runs now. */
  countRunning(): number;
  /** Begins to run jobs. */
  start(): void;
  /** Aborts what runs; it runs again after the next start. */
  close(): Promise<void>;
}

export type JobHandlers = Readonly<Record<Job["name"], JobHandler>>;
