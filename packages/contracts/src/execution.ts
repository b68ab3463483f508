import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { agentIdSchema } from "./agent.ts";
import { reachedBudgetSchema } from "./budget.ts";
import { storedTextSchema } from "./coded-texts/coded-text.ts";
import { attemptIdSchema, executionIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { fallbackSchema } from "./parking.ts";
import { providerLimitSchema } from "./provider-limit.ts";
import { usageSchema } from "./usage.ts";

/** How an execution ended. `interrupted`: its process is gone, or it stopped at a limit; `cancelled`: a user stopped it. */
export const executionEndStatusSchema = z.enum(["success", "failed", "cancelled", "interrupted"]);
export type ExecutionEndStatus = z.infer<typeof executionEndStatusSchema>;

/**
 * What can be done next. `step-limit`, `cost-limit`: the execution reached a limit of the settings and can be continued. `not-answered`:
 * the agent produced no output and no action, so its message can be sent again (`RETRY_EXECUTION`). `budget`, `provider-limit`: another
 * execution waits to continue it.
 */
export const executionEndCodeSchema = z.enum(["step-limit", "cost-limit", "not-answered", "budget", "provider-limit"]);
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

const slotWaitSchema = z.object({
  for: z.literal("limit"),
  since: timestampSchema,
  /** Its place in the order of starts: smaller is earlier. Not consecutive. */
  position: z.int(),
});
const budgetWaitSchema = z.object({
  for: z.literal("budget"),
  since: timestampSchema,
  reached: reachedBudgetSchema,
  /** Its agent runs, and makes no model call until there is an answer. */
  isPaused: z.boolean(),
});
const parkedWaitSchema = z.object({
  for: z.literal("provider"),
  since: timestampSchema,
  limit: providerLimitSchema,
  /** When it is, or can be, tried again. */
  resumesAt: timestampSchema,
  /** It resumes by itself at that time. */
  isAutomatic: z.boolean(),
  /** How often in a row the provider has rejected it. */
  rejections: z.int().positive(),
  /** What it continues with instead, as soon as that attempt is created. */
  continuesWith: fallbackSchema.exactOptional(),
});
/** Its server is being drained: it starts no agents. */
const serverWaitSchema = z.object({ for: z.literal("server"), since: timestampSchema, name: z.string() });

/**
 * Why an execution does not run now. `limit`: as many run as the limits of the settings allow (L1); `budget`: a budget is used up, and the
 * user is asked how to continue (L2); `provider`: it is parked, because the provider accepts no more requests (L3);
 * `server`: its server is being drained (W2).
 */
export const executionWaitSchema = z.discriminatedUnion("for", [slotWaitSchema, budgetWaitSchema, parkedWaitSchema, serverWaitSchema]);
export type ExecutionWait = z.infer<typeof executionWaitSchema>;
/** A question about a budget. */
export type BudgetWait = z.infer<typeof budgetWaitSchema>;
/** A provider that accepts no more requests. */
export type ParkedWait = z.infer<typeof parkedWaitSchema>;

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
/** An execution that waits: see `executionWaitSchema`. */
export const waitingExecutionSchema = z.object({ execution: executionSchema, agent: agentIdSchema, projectId: projectIdSchema });
export type WaitingExecution = z.infer<typeof waitingExecutionSchema>;
/** Where to move one that waits: before another, or to the end. */
export const moveWaitingExecutionSchema = z.object({ before: executionIdSchema.nullable() });
/** An execution that has ended, whatever its status. */
export type EndedExecution = Exclude<Execution, { status: "running" }>;
