import type { Job, JobId, JobSchedule } from "@skein/contracts";

/** Reads jobs and their schedules. */
export interface JobReader {
  findJob(query: { id: JobId }): Promise<Job | undefined>;
  /** The newest first. */
  listJobs(query: { state?: Job["state"]; limit: number }): Promise<Job[]>;
  /** When the next waiting job of one of these names is to run; null if there is none. */
  findNextJobAt(query: { names: readonly string[] }): Promise<number | null>;
  listJobSchedules(): Promise<JobSchedule[]>;
}

/** Writes jobs and their schedules. */
export interface JobTransaction extends JobReader {
  /** Returns false, and inserts nothing, if a job with its name and key is waiting or running. */
  insertJob(job: Job): Promise<boolean>;
  /** Starts waiting jobs whose time has come: they are running, and belong to this server. */
  claimJobs(input: { names: readonly string[]; limit: number; at: number }): Promise<Job[]>;
  /** Running jobs that nobody runs any more belong to this server: of servers that are gone, and of this one, except those in `known`. */
  reclaimJobs(input: { known: readonly JobId[] }): Promise<Job[]>;
  /**
   * Returns false, and changes nothing, if it is no longer in the state of `before` and its try, or runs on another server and is not being
   * cancelled: a run that was taken for dead must not end the next one.
   */
  updateJob(job: Job, before: Pick<Job, "state" | "tries">): Promise<boolean>;
  deleteEndedJobs(query: { before: number }): Promise<void>;
  /** Inserts, or replaces the schedule of the same name and key. */
  putJobSchedule(schedule: JobSchedule): Promise<void>;
  deleteJobSchedule(query: Pick<JobSchedule, "name" | "key">): Promise<void>;
}
