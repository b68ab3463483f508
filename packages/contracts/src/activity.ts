import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { checkBadgeSchema } from "./check-run.ts";
import { sequenceSchema } from "./event.ts";
import { executionEndStatusSchema, executionWaitSchema } from "./execution.ts";
import { approvalIdSchema, attemptIdSchema, executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { pullRequestBadgeSchema } from "./pull-request.ts";
import { taskSchema } from "./task.ts";
import { storedToolSummarySchema } from "./tool-summary.ts";
import { usageSchema } from "./usage.ts";

/* Activity and cost that lists show alongside tasks and attempts. */

/** Totals of executions that have ended. As in every usage, a field that none of them reported is absent. */
export const totalsSchema = z.object({ executions: z.int().nonnegative(), durationMs: z.int().nonnegative(), usage: usageSchema });
export type Totals = z.infer<typeof totalsSchema>;

/** The latest end. */
export const lastEndSchema = z.object({ executionId: executionIdSchema, status: executionEndStatusSchema, endedAt: timestampSchema });
export type LastEnd = z.infer<typeof lastEndSchema>;

/** An attempt with something running or waiting. */
export const openAttemptSchema = z.object({
  attemptId: attemptIdSchema,
  /** The running execution; null if there is none. */
  executionId: executionIdSchema.nullable(),
  startedAt: timestampSchema.nullable(),
  /** The running execution waits to be started. */
  wait: executionWaitSchema.exactOptional(),
  /** Running tool executions, oldest first, by the id of their conversation message. */
  tools: z.array(z.object({ messageId: z.string(), content: z.string(), summary: storedToolSummarySchema })),
  approvals: z.array(approvalIdSchema),
  queued: z.int().nonnegative(),
  /** The queue is paused until the user resumes it. */
  queuePaused: z.boolean(),
});
export type OpenAttempt = z.infer<typeof openAttemptSchema>;

/** The activity of a task, over all of its attempts. */
export const taskActivitySchema = z.object({
  /** Events up to this number are included. */
  seq: sequenceSchema,
  /** The active attempt and its agent; null if the task has none. */
  attemptId: attemptIdSchema.nullable(),
  agent: agentIdSchema.nullable(),
  /** Number of attempts. */
  attempts: z.int().nonnegative(),
  /** From here to `queuePaused` derived from `open`: from all attempts, since an inactive one may still be running. */
  executing: z.boolean(),
  /** Summary of the tool that started last: “Running npm test”. */
  runningTool: z.string().optional(),
  /** The same as data, for clients in other languages. */
  runningToolSummary: storedToolSummarySchema.optional(),
  pendingApprovals: z.int().nonnegative(),
  queued: z.int().nonnegative(),
  /** The queue of at least one attempt is paused. */
  queuePaused: z.boolean(),
  open: z.array(openAttemptSchema),
  /** Of the task's attempts, in the order of the attempts. */
  pullRequests: z.array(pullRequestBadgeSchema),
  /** Of attempts with a check or in a race, in the order of the attempts; absent if there are none. */
  checks: z.array(checkBadgeSchema).exactOptional(),
  lastEnd: lastEndSchema.nullable(),
  /** Of all attempts. */
  totals: totalsSchema,
});
export type TaskActivity = z.infer<typeof taskActivitySchema>;

/** A task as lists and pages get it; events carry only the task, and `applyEventToActivity` updates the rest. */
export const taskSummarySchema = taskSchema.extend({
  activity: taskActivitySchema,
  /** `description` is truncated, because the list was requested with short ones. */
  isShortened: z.literal(true).optional(),
});
export type TaskSummary = z.infer<typeof taskSummarySchema>;

const { executing, pendingApprovals, queued, queuePaused, open, pullRequests } = taskActivitySchema.shape;

/**
 * A task of a list that was asked for short activities: of a task in which nothing runs or waits, the fields that say so are left out,
 * and of the usage all but the cost. Parsing adds the fields again. Also accepts whole activities.
 */
export const listedTaskSchema = taskSummarySchema.extend({
  activity: taskActivitySchema.extend({
    executing: executing.default(false),
    pendingApprovals: pendingApprovals.default(0),
    queued: queued.default(0),
    queuePaused: queuePaused.default(false),
    open: open.default([]),
    pullRequests: pullRequests.default([]),
  }),
});
export type ListedTask = z.input<typeof listedTaskSchema>;

/** An attempt with its totals and its last end. */
export const attemptSummarySchema = attemptSchema.extend({ totals: totalsSchema, lastEnd: lastEndSchema.nullable() });
export type AttemptSummary = z.infer<typeof attemptSummarySchema>;
