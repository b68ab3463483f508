import { z } from "zod";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { attemptIdSchema, executionIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { usageSchema } from "./usage.ts";

/** How an execution ended. `interrupted`: its process is gone, or it stopped at a limit; `cancelled`: a user stopped it. */
export const executionEndStatusSchema = z.enum(["success", "failed", "cancelled", "interrupted"]);
export type ExecutionEndStatus = z.infer<typeof executionEndStatusSchema>;

/**
 * What can be done next. `step-limit`, `cost-limit`: the execution reached a limit of the settings and can be continued.
 * `not-answered`: the agent neither said nor did anything, so that its message can be sent again (`RETRY_EXECUTION`).
 */
export const executionEndCodeSchema = z.enum(["step-limit", "cost-limit", "not-answered"]);
export type ExecutionEndCode = z.infer<typeof executionEndCodeSchema>;

const base = z.object({
  id: executionIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  /** 1 for the first execution of its attempt. */
  number: z.int().positive(),
  startedAt: timestampSchema,
});

/** An execution that has ended. */
export const endedExecutionSchema = base.extend({
  status: executionEndStatusSchema,
  endedAt: timestampSchema,
  durationMs: z.int().nonnegative(),
  /** Null when a signal ended the agent, or it was never seen to end. */
  exitCode: z.int().nullable(),
  /** One sentence for the user when it did not succeed. */
  reason: z.string().nullable(),
  /** The same as data, where Skein itself gave the reason. */
  reasonText: storedTextSchema,
  code: executionEndCodeSchema.nullable(),
  usage: usageSchema,
});

/** One user message and the agent's response. */
export const executionSchema = z.discriminatedUnion("status", [base.extend({ status: z.literal("running") }), endedExecutionSchema]);
export type Execution = z.infer<typeof executionSchema>;
/** An execution that has not ended. */
export type RunningExecution = Extract<Execution, { status: "running" }>;
/** An execution that has ended, however it did. */
export type EndedExecution = Exclude<Execution, { status: "running" }>;
