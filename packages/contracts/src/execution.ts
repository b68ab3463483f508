import { z } from "zod";
import { attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { usageSchema } from "./usage.ts";

export const executionEndStatusSchema = z.enum(["success", "failed", "cancelled", "interrupted"]);
export type ExecutionEndStatus = z.infer<typeof executionEndStatusSchema>;

const base = z.object({
  id: executionIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  /** 1 for the first execution of its attempt. */
  number: z.int().positive(),
  startedAt: timestampSchema,
});

export const endedExecutionSchema = base.extend({
  status: executionEndStatusSchema,
  endedAt: timestampSchema,
  durationMs: z.int().nonnegative(),
  /** Null when a signal ended the agent, or it was never seen to end. */
  exitCode: z.int().nullable(),
  /** One sentence for the person when it did not succeed. */
  reason: z.string().nullable(),
  usage: usageSchema,
});

/** One message of the person and what the agent did about it. */
export const executionSchema = z.discriminatedUnion("status", [base.extend({ status: z.literal("running") }), endedExecutionSchema]);
export type Execution = z.infer<typeof executionSchema>;
export type RunningExecution = Extract<Execution, { status: "running" }>;
export type EndedExecution = Exclude<Execution, { status: "running" }>;
