import {
  type Actor,
  type AutomationRun,
  createId,
  type createScheduleSchema,
  type JobSchedule,
  type ProjectId,
  type Schedule,
  type ScheduleId,
  type UpdateSchedule,
} from "@skein/contracts";
import { ServiceError, type StorageReader, type StoredAutomationRun } from "@skein/engine";
import type { z } from "zod";
import { findNextRuns } from "../jobs/next-run.ts";
import { checkAction } from "./automation-request.ts";
import { toAutomationRun } from "./automation-runs.ts";
import { getProject, missing } from "./lookup.ts";
import { declareSchedule, enqueueRun, timeVariables, toScheduleJob, toScheduleKey } from "./schedule-jobs.ts";
import type { ServiceContext } from "./service-context.ts";
import { parseSchedule, type StoredSchedule, toScheduleRow } from "./stored-schedule.ts";

const shownTimes = 5;
const shownRuns = 50;

/** What starts by itself at its times. */
export interface ScheduleService {
  /** By name. `projectIds`: only of these. */
  list(query: { projectIds?: readonly ProjectId[] | undefined }): Promise<Schedule[]>;
  get(id: ScheduleId): Promise<Schedule>;
  create(input: z.output<typeof createScheduleSchema>, by?: Actor): Promise<Schedule>;
  /** `by` takes it over: what it starts is theirs. */
  update(id: ScheduleId, changes: UpdateSchedule, by?: Actor): Promise<Schedule>;
  remove(id: ScheduleId): Promise<void>;
  /** Also while it is off. Rejects with `run-starting` if one is just being decided. */
  runNow(id: ScheduleId): Promise<void>;
  /** The newest first. */
  runs(id: ScheduleId): Promise<AutomationRun[]>;
  /** The next times of an expression. Rejects with `cron-invalid` or `time-zone-invalid`. */
  times(expression: Pick<Schedule, "cron" | "timeZone">): Promise<number[]>;
}

export function createScheduleService({ storage, now, jobs }: Pick<ServiceContext, "storage" | "now" | "jobs">): ScheduleService {
  async function times({ cron, timeZone }: Pick<Schedule, "cron" | "timeZone">): Promise<number[]> {
    try {
      new Intl.DateTimeFormat("en", { timeZone });
    } catch {
      throw new ServiceError("invalid", { code: "time-zone-invalid", timeZone });
    }
    try {
      return await findNextRuns({ cron, timeZone }, now(), shownTimes);
    } catch {
      throw new ServiceError("invalid", { code: "cron-invalid", cron });
    }
  }

  const save = (prepare: (reader: StorageReader) => Promise<StoredSchedule>): Promise<Schedule> =>
    storage.transaction(async (tx) => {
      const schedule = await prepare(tx);
      const project = await getProject(tx, schedule.projectId);
      await checkAction(tx, { ...schedule, known: timeVariables });
      await tx.putAutomation(toScheduleRow(schedule));
      await declareSchedule(jobs, schedule, toScheduleJob(project), tx);
      return describe(tx, schedule, await tx.listJobSchedules());
    });

  return {
    times,
    list: ({ projectIds }) =>
      storage.snapshot(async (reader) => {
        const declared = await reader.listJobSchedules();
        const schedules = (await reader.listAutomations({ kind: "schedule", projectIds })).map(parseSchedule);
        return Promise.all(schedules.map((schedule) => describe(reader, schedule, declared)));
      }),
    get: (id) => storage.snapshot(async (reader) => describe(reader, await find(reader, id), await reader.listJobSchedules())),
    async create(input, by) {
      await times(input);
      const at = now();
      return save(async () => ({ ...input, id: createId("sch", at), ...(by && { by }), createdAt: at, updatedAt: at }));
    },
    async update(id, changes, by) {
      const { cron, timeZone } = { ...(await find(storage.read, id)), ...changes };
      await times({ cron, timeZone });
      return save(async (reader) => {
        const { by: _, ...before } = await find(reader, id);
        return { ...before, ...changes, ...(by && { by }), updatedAt: now() };
      });
    },
    remove: (id) =>
      storage.transaction(async (tx) => {
        const { projectId } = await find(tx, id);
        await tx.deleteAutomation({ id });
        await jobs.unschedule({ name: toScheduleJob(await tx.findProject({ id: projectId })), key: toScheduleKey(id) }, tx);
      }),
    async runNow(id) {
      const { projectId } = await find(storage.read, id);
      const name = toScheduleJob(await getProject(storage.read, projectId));
      if (!(await enqueueRun(jobs, id, name))) throw new ServiceError("conflict", { code: "run-starting" });
    },
    async runs(id) {
      await find(storage.read, id);
      return (await storage.read.listAutomationRuns({ automationId: id, limit: shownRuns })).map(toAutomationRun);
    },
  };
}

async function find(reader: StorageReader, id: ScheduleId): Promise<StoredSchedule> {
  const stored = await reader.findAutomation({ id });
  return stored === undefined ? missing("schedule", id) : parseSchedule(stored);
}

async function describe(reader: StorageReader, schedule: StoredSchedule, declared: readonly JobSchedule[]): Promise<Schedule> {
  const [last]: (StoredAutomationRun | undefined)[] = await reader.listAutomationRuns({ automationId: schedule.id, limit: 1 });
  const times = declared.find(({ key }) => key === toScheduleKey(schedule.id));
  return {
    ...schedule,
    nextRunAt: times?.nextRunAt ?? null,
    missedRuns: times?.missedRuns ?? 0,
    lastMissedAt: times?.lastMissedAt ?? null,
    lastRun: last === undefined ? null : toAutomationRun(last),
  };
}
