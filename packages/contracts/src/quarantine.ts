import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { executionSchema } from "./execution.ts";
import { attemptIdSchema, executionIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { projectSchema } from "./project.ts";
import { storedMessageSchema } from "./stored-message.ts";
import { taskSchema } from "./task.ts";

/**
 * What an execution belongs to, recorded when its agent was started. Kept next to its log, so that the log can be imported into a
 * database that does not have the execution.
 */
export const executionOriginSchema = z.object({
  version: z.literal(1),
  project: projectSchema,
  task: taskSchema,
  attempt: attemptSchema,
  execution: executionSchema,
  /** The user's message. */
  message: storedMessageSchema,
});
export type ExecutionOrigin = z.infer<typeof executionOriginSchema>;

/** An execution with files in the data dir that the database does not have. */
export const quarantineEntrySchema = z.object({
  id: executionIdSchema,
  /** `running`: its agent is alive; its files stay where they are until it ends. */
  state: z.enum(["quarantined", "running"]),
  /** Size on disk of its log and its long tool outputs. */
  bytes: z.int().nonnegative(),
  startedAt: timestampSchema,
  /** Whether its log can be imported; false for executions of releases that recorded no origin. */
  recoverable: z.boolean(),
  projectId: projectIdSchema.optional(),
  projectName: z.string().optional(),
  taskTitle: z.string().optional(),
  agent: agentIdSchema.optional(),
  /** The beginning of the user's message. */
  message: z.string().optional(),
});
export type QuarantineEntry = z.infer<typeof quarantineEntrySchema>;

/** Oldest first. */
export const quarantineListSchema = z.object({ entries: z.array(quarantineEntrySchema) });

/** Where a recovered execution can be found. */
export const recoveredExecutionSchema = z.object({ executionId: executionIdSchema, attemptId: attemptIdSchema, taskId: taskIdSchema });
export type RecoveredExecution = z.infer<typeof recoveredExecutionSchema>;
