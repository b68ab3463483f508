import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { agentIdSchema } from "./agent.ts";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { attemptIdSchema, executionIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { usageSchema } from "./usage.ts";

/** How an execution ended. `interrupted`: its process is gone, or it stopped at a limit; `cancelled`: a user stopped it. */
export const executionEndStatusSchema = z.enum(["success", "failed", "cancelled", "interrupted"]);
export type ExecutionEndStatus = z.infer<typeof executionEndStatusSchema>;

/**
 * What can be done next. `step-limit`, `cost-limit`: the execution reached a limit of the settings and can be continued. `not-answered`:
 * the agent produced no output and no action, so its message can be sent again (`RETRY_EXECUTION`).
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
  /** Who sent its message. */
  by: actorSchema.exactOptional(),
});

/** Why the agent of an execution has not been started yet. `limit`: as many executions run as the limits of the settings allow (L1). */
export const executionWaitSchema = z.object({
  for: z.literal("limit"),
  since: timestampSchema,
  /** Its place in the order of starts: smaller is earlier. Not consecutive. */
  position: z.int(),
});
export type ExecutionWait = z.infer<typeof executionWaitSchema>;

/** An execution that has ended. */
export const endedExecutionSchema = base.extend({
  status: executionEndStatusSchema,
  endedAt: timestampSchema,
  durationMs: z.int().nonnegative(),
  /** Null if a signal ended the agent, or its end was not observed. */
  exitCode: z.int().nullable(),
  /** One sentence for the user when it did not succeed. */
  reason: z.string().nullable(),
  /** `reason` as data, if it is Skein's own. */
  reasonText: storedTextSchema,
  code: executionEndCodeSchema.nullable(),
  usage: usageSchema,
});

/** One user message and the agent's response. */
export const executionSchema = z.discriminatedUnion("status", [
  base.extend({ status: z.literal("running"), wait: executionWaitSchema.exactOptional() }),
  endedExecutionSchema,
]);
export type Execution = z.infer<typeof executionSchema>;
/** A running execution. */
export type RunningExecution = Extract<Execution, { status: "running" }>;
/** An execution that waits for a slot. */
export const waitingExecutionSchema = z.object({ execution: executionSchema, agent: agentIdSchema, projectId: projectIdSchema });
export type WaitingExecution = z.infer<typeof waitingExecutionSchema>;
/** Where to move one that waits: before another, or to the end. */
export const moveWaitingExecutionSchema = z.object({ before: executionIdSchema.nullable() });
/** An execution that has ended, whatever its status. */
export type EndedExecution = Exclude<Execution, { status: "running" }>;
