import { type Project, type Schedule, type ScheduleId, scheduleIdSchema } from "@skein/contracts";
import { ServiceError, type Storage } from "@skein/engine";
import { z } from "zod";
import type { JobHandler, Jobs } from "../jobs/jobs.ts";
import { toRequest } from "./automation-request.ts";
import { closeRun, isStillRunning, openRun, toJobName, toReason } from "./automation-runs.ts";
import { checkAutomationUser } from "./automation-user.ts";
import { parseSchedule } from "./stored-schedule.ts";

export const scheduleJob = "schedule";
const dataSchema = z.object({ scheduleId: scheduleIdSchema, isManual: z.boolean().default(false) });

type Times = Pick<Schedule, "id" | "cron" | "timeZone" | "missed" | "enabled">;

export const toScheduleJob = (project: Pick<Project, "nodeId"> | undefined): string => toJobName(scheduleJob, project?.nodeId);
export const toScheduleKey = (id: ScheduleId): string => id;

/** Has the job engine start it at its times, or not any more. As part of a transaction, if it is given. */
export async function declareSchedule(
  jobs: Pick<Jobs, "schedule" | "unschedule">,
  { id, cron, timeZone, missed, enabled }: Times,
  name: string,
  tx?: Parameters<Jobs["schedule"]>[1],
): Promise<void> {
  const key = toScheduleKey(id);
  if (enabled) await jobs.schedule({ name, key, data: { scheduleId: id }, cron, timeZone, missed }, tx);
  else await jobs.unschedule({ name, key }, tx);
}

/** Asks for a run now. False if one is just being decided. */
export async function enqueueRun(jobs: Pick<Jobs, "enqueue">, id: ScheduleId, name: string): Promise<boolean> {
  // the key of the runs of the schedule: two at once would not see each other
  return (await jobs.enqueue({ name, key: `schedule:${toScheduleKey(id)}`, data: { scheduleId: id, isManual: true } })) !== undefined;
}

/** Decides what one time of a schedule leads to. The decision, the run and its job are saved with the end of this job. */
export function createScheduleHandler({ jobs, now }: { jobs: Pick<Jobs, "enqueue">; now(): number }): JobHandler {
  return {
    maxTries: 1000,
    run: ({ id: key, data, complete }) =>
      complete(async (tx) => {
        const { scheduleId, isManual } = dataSchema.parse(data);
        const automation = await tx.findAutomation({ id: scheduleId });
        if (automation === undefined) return;
        const schedule = parseSchedule(automation);
        if (!schedule.enabled && !isManual) return;
        const { by } = automation;
        const decided = { automation, key, at: now(), isManual, by };
        if (schedule.overlap === "skip" && (await isStillRunning(tx, scheduleId))) {
          await closeRun(tx, { ...decided, state: "skipped", reason: { code: "previous-run-open" } });
          return;
        }
        try {
          await checkAutomationUser(tx, schedule.projectId, by);
          const values = toTimeValues(decided.at, schedule.timeZone);
          const request = await toRequest(tx, { ...schedule, id: `schedule-${key}`, values });
          const project = await tx.findProject({ id: schedule.projectId });
          await openRun(tx, jobs, { ...decided, request, nodeId: project?.nodeId });
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
          await closeRun(tx, { ...decided, state: "failed", reason: toReason(error) });
        }
      }),
  };
}

/** What every schedule can use as variables. */
export const timeVariables = ["date", "time"] as const;

export function toTimeValues(at: number, timeZone: string): Map<string, string> {
  // the only locale whose dates are in the order of ISO 8601
  const parts = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at).split(" ");
  return new Map(timeVariables.map((name, index) => [name, parts[index] ?? ""]));
}

/** After a start: declares what an earlier release, another machine or an unfinished move left undeclared. */
export async function declareSchedules({
  storage,
  jobs,
}: {
  storage: Storage;
  jobs: Pick<Jobs, "schedule" | "unschedule">;
}): Promise<void> {
  const stored = await storage.read.listAutomations({ kind: "schedule" });
  if (stored.length === 0) return;
  const projects = new Map((await storage.read.listProjects()).map((project) => [project.id, project]));
  const declared = await storage.read.listJobSchedules();
  for (const automation of stored) {
    const schedule = parseSchedule(automation);
    const name = toScheduleJob(projects.get(schedule.projectId));
    for (const old of declared.filter(({ name: known, key }) => key === toScheduleKey(schedule.id) && known !== name)) {
      await jobs.unschedule({ name: old.name, key: old.key });
    }
    await declareSchedule(jobs, schedule, name);
  }
}
