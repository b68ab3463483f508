import { createHash } from "node:crypto";
import { type JobId, type JobSchedule, jobIdSchema } from "@skein/contracts";

/** A run that starts later than this was missed: no server was running. */
const graceMs = 60_000;
/** Limit of counted runs: a schedule may not have been evaluated for years. */
const maxCounted = 1000;

/** Finds the first time after another one. The library is loaded with the first schedule. */
async function openCron({ cron, timeZone }: Pick<JobSchedule, "cron" | "timeZone">): Promise<(after: number) => number> {
  const { Cron } = await import("croner");
  const times = new Cron(cron, { timezone: timeZone, paused: true, mode: "5-part" });
  return (after) => {
    const next = times.nextRun(new Date(after));
    if (next === null) throw new RangeError(`The schedule ${cron} has no next time.`);
    return next.getTime();
  };
}

/** The first time after `after`. Throws for an invalid expression or time zone, and if there is none. */
export async function findNextRun(schedule: Pick<JobSchedule, "cron" | "timeZone">, after: number): Promise<number> {
  return (await openCron(schedule))(after);
}

/** The next times after `after`. Throws like `findNextRun`. */
export async function findNextRuns(schedule: Pick<JobSchedule, "cron" | "timeZone">, after: number, count: number): Promise<number[]> {
  const findNext = await openCron(schedule);
  const times: number[] = [];
  for (let last = after; times.length < count; times.push(last)) last = findNext(last);
  return times;
}

/**
 * What is to be done about a schedule whose time has come: whether a job is started, how many runs were missed, the last time that has come,
 * and the next one.
 */
export async function evaluateSchedule(
  schedule: JobSchedule,
  now: number,
): Promise<{ runs: boolean; missed: number; last: number; nextRunAt: number }> {
  const findNext = await openCron(schedule);
  let last = schedule.nextRunAt;
  let due = 1;
  let next = findNext(last);
  for (; next <= now && due < maxCounted; due++) {
    last = next;
    next = findNext(last);
  }
  if (next <= now) next = findNext(now);
  const runs = schedule.missed === "once" || now - last <= graceMs;
  return { runs, missed: runs ? due - 1 : due, last, nextRunAt: next };
}

/** Whether the clock was set back after the schedule was last looked at: its next time may be too far away. */
export function wasSetBack({ lastRunAt, lastMissedAt }: JobSchedule, now: number): boolean {
  return Math.max(lastRunAt ?? 0, lastMissedAt ?? 0) > now;
}

/** The id of the job of one time of a schedule: it is stored once, also when the clock is set back and that time comes again. */
export function toRunId({ name, key }: Pick<JobSchedule, "name" | "key">, at: number): JobId {
  const hash = createHash("sha256")
    .update(JSON.stringify([name, key, at]))
    .digest("hex");
  return jobIdSchema.parse(`job_${hash.slice(0, 32)}`);
}
