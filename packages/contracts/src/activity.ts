import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { sequenceSchema } from "./event.ts";
import { executionEndStatusSchema } from "./execution.ts";
import { approvalIdSchema, attemptIdSchema, executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { pullRequestBadgeSchema } from "./pull-request.ts";
import { taskSchema } from "./task.ts";
import { storedToolSummarySchema } from "./tool-summary.ts";
import { usageSchema } from "./usage.ts";

/*
 * What lists show alongside tasks and attempts: what is happening in them, and what they have cost.
 */

/** Of executions that have ended. Like every usage, a field that none of them reported is absent. */
export const totalsSchema = z.object({ executions: z.int().nonnegative(), durationMs: z.int().nonnegative(), usage: usageSchema });
export type Totals = z.infer<typeof totalsSchema>;

/** The end that came last. */
export const lastEndSchema = z.object({ executionId: executionIdSchema, status: executionEndStatusSchema, endedAt: timestampSchema });
export type LastEnd = z.infer<typeof lastEndSchema>;

/** An attempt in which something runs or waits. */
export const openAttemptSchema = z.object({
  attemptId: attemptIdSchema,
  /** The running execution; null when there is none. */
  executionId: executionIdSchema.nullable(),
  startedAt: timestampSchema.nullable(),
  /** Tool executions that run, oldest first, by the id of their conversation message. */
  tools: z.array(z.object({ messageId: z.string(), content: z.string(), summary: storedToolSummarySchema })),
  approvals: z.array(approvalIdSchema),
  queued: z.int().nonnegative(),
  /** What is queued is not sent until the user resumes the queue. */
  queuePaused: z.boolean(),
});
export type OpenAttempt = z.infer<typeof openAttemptSchema>;

/** What is happening in a task, over all of its attempts. */
export const taskActivitySchema = z.object({
  /** Events up to this number are included. */
  seq: sequenceSchema,
  /** The active attempt and its agent; null when the task has none. */
  attemptId: attemptIdSchema.nullable(),
  agent: agentIdSchema.nullable(),
  /** How many attempts the task has. */
  attempts: z.int().nonnegative(),
  /** From here to `queuePaused` it is derived from `open`: from all attempts, since one that is not active may still run. */
  executing: z.boolean(),
  /** What the tool that started last does: “Running npm test”. */
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
  lastEnd: lastEndSchema.nullable(),
  /** Of all attempts. */
  totals: totalsSchema,
});
export type TaskActivity = z.infer<typeof taskActivitySchema>;

/** A task as lists and pages get it; events carry the task alone, and `applyEventToActivity` does the rest. */
export const taskSummarySchema = taskSchema.extend({
  activity: taskActivitySchema,
  /** `description` is only its beginning: the list was asked for short ones. */
  isShortened: z.literal(true).optional(),
});
export type TaskSummary = z.infer<typeof taskSummarySchema>;

/** An attempt with its totals and its last end. */
export const attemptSummarySchema = attemptSchema.extend({ totals: totalsSchema, lastEnd: lastEndSchema.nullable() });
export type AttemptSummary = z.infer<typeof attemptSummarySchema>;
