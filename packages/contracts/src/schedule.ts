import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { problemTextSchema } from "./coded-texts/problem-text.ts";
import { attemptIdSchema, executionIdSchema, projectIdSchema, scheduleIdSchema, taskIdSchema, templateIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { automationNameSchema, startFormSchema } from "./template.ts";

/** The values of the variables of a template. */
const variableValuesSchema = z.record(z.string().max(100), z.string().max(10_000));

/** What an automation does: it starts a task from a template or a form of its own, or sends a message to an attempt. */
export const automationActionSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("template"), templateId: templateIdSchema, values: variableValuesSchema.default({}) }),
  z.object({ type: z.literal("task"), form: startFormSchema }),
  z.object({
    type: z.literal("message"),
    attemptId: attemptIdSchema,
    message: z
      .string()
      .max(100_000)
      .refine((text) => text.trim() !== "", "must not be empty"),
  }),
]);
export type AutomationAction = z.infer<typeof automationActionSchema>;

/** One run of an automation. `open`: decided, and being carried out. */
export const automationRunSchema = z.object({
  key: z.string(),
  state: z.enum(["open", "done", "skipped", "failed"]),
  at: timestampSchema,
  endedAt: timestampSchema.nullable(),
  /** The task that it created, or sent a message to. */
  taskId: taskIdSchema.nullable(),
  /** Null: the message is queued, or nothing was started. */
  executionId: executionIdSchema.nullable(),
  /** A user asked for it. */
  isManual: z.boolean(),
  /** Why it was skipped, or failed; a string is the text of a program. */
  reason: z.union([problemTextSchema, z.string()]).nullable(),
});
export type AutomationRun = z.infer<typeof automationRunSchema>;

/** Five fields: minute, hour, day of month, month, day of week. */
export const cronSchema = z.string().trim().min(1, "must not be empty").max(200);
/** An IANA name. */
export const timeZoneSchema = z.string().trim().min(1, "must not be empty").max(100);

const scheduleFields = {
  name: automationNameSchema,
  cron: cronSchema,
  timeZone: timeZoneSchema,
  /** What happens to runs that were missed because no server was running: `once`: one run makes up for all of them. */
  missed: z.enum(["skip", "once"]).default("skip"),
  /** What happens if the previous run still works: `skip` this one, or `start` it as well. */
  overlap: z.enum(["skip", "start"]).default("skip"),
  enabled: z.boolean().default(true),
  action: automationActionSchema,
};

/** Starts a task or sends a message at the times of a cron expression. */
export const scheduleSchema = z.object({
  id: scheduleIdSchema,
  projectId: projectIdSchema,
  ...scheduleFields,
  name: z.string(),
  /** Who saved it last: what it starts is theirs. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
  /** Null while it is off. */
  nextRunAt: timestampSchema.nullable(),
  missedRuns: z.int().nonnegative(),
  lastMissedAt: timestampSchema.nullable(),
  lastRun: automationRunSchema.nullable(),
});
export type Schedule = z.infer<typeof scheduleSchema>;

/** A new schedule. */
export const createScheduleSchema = z.object({ projectId: projectIdSchema, ...scheduleFields });
/** A new schedule in a request, before defaults. */
export type CreateSchedule = z.input<typeof createScheduleSchema>;

/** Changes of a schedule; absent fields keep their values. */
export const updateScheduleSchema = z.object({
  name: automationNameSchema.exactOptional(),
  cron: cronSchema.exactOptional(),
  timeZone: timeZoneSchema.exactOptional(),
  missed: scheduleFields.missed.unwrap().exactOptional(),
  overlap: scheduleFields.overlap.unwrap().exactOptional(),
  enabled: scheduleFields.enabled.unwrap().exactOptional(),
  action: automationActionSchema.exactOptional(),
});
export type UpdateSchedule = z.infer<typeof updateScheduleSchema>;

/** The next times of a cron expression. */
export const scheduleTimesSchema = z.object({ times: z.array(timestampSchema) });
