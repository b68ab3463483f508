import { z } from "zod";
import { jobIdSchema, nodeIdSchema } from "./ids.ts";
import { jsonValueSchema, timestampSchema } from "./json.ts";

/**
 * Work that a server does by itself, at a time, once: of several servers that share a database, one runs it. `waiting`: for its time, or for
 * the next try. `failed`: the last try failed.
 */
export const jobSchema = z.object({
  id: jobIdSchema,
  name: z.string().min(1),
  /** Of the jobs of a name with the same key, one at most is waiting or running. */
  key: z.string().nullable(),
  data: jsonValueSchema,
  state: z.enum(["waiting", "running", "done", "failed", "cancelled"]),
  /** Not before. */
  runAt: timestampSchema,
  /** Tries that have begun. */
  tries: z.int().nonnegative(),
  maxTries: z.int().positive(),
  /** Wait before the second try; it doubles with each further one. */
  backoffMs: z.int().nonnegative(),
  createdAt: timestampSchema,
  /** Of the last try. */
  startedAt: timestampSchema.nullable(),
  endedAt: timestampSchema.nullable(),
  /** Why the last try failed. */
  error: z.string().nullable(),
  /** The server that runs it, if several share the database. */
  nodeId: nodeIdSchema.nullable(),
});
export type Job = z.infer<typeof jobSchema>;

/** Starts a job again and again. */
export const jobScheduleSchema = z.object({
  /** Of the job. */
  name: z.string().min(1),
  key: z.string(),
  data: jsonValueSchema,
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: z.string().min(1),
  /** IANA name. */
  timeZone: z.string().min(1),
  /** What happens to runs that were missed because no server was running: `once`: one run makes up for all of them. */
  missed: z.enum(["skip", "once"]),
  nextRunAt: timestampSchema,
  lastRunAt: timestampSchema.nullable(),
  /** Runs that did not take place: no server was running, or the previous run was not over. */
  missedRuns: z.int().nonnegative(),
  lastMissedAt: timestampSchema.nullable(),
});
export type JobSchedule = z.infer<typeof jobScheduleSchema>;

/** The newest jobs, and all schedules. */
export const jobListSchema = z.object({ jobs: z.array(jobSchema), schedules: z.array(jobScheduleSchema) });
/** The newest jobs, and all schedules. */
export type JobList = z.infer<typeof jobListSchema>;
