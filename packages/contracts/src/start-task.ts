import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { budgetSchema } from "./budget.ts";
import { commandIdSchema, commandImagesSchema, commandMessageSchema } from "./command.ts";
import { sequenceSchema } from "./event.ts";
import { createAttemptSchema, createTaskSchema } from "./http.ts";
import { executionIdSchema, taskIdSchema } from "./ids.ts";
import { taskFieldsSchema, taskSchema } from "./task.ts";

/** A new task. Default title: derived from the first message; default description: the message itself. */
const newTaskSchema = createTaskSchema
  .omit({ id: true, status: true, position: true })
  .extend({ title: taskFieldsSchema.shape.title.optional(), description: taskFieldsSchema.shape.description.unwrap().optional() });

/** A task, an attempt at it and its first message. */
export const startTaskSchema = z.object({
  /** Chosen by the client. Repeating an id returns the result of the first request, and creates nothing else. */
  id: commandIdSchema,
  /** A new task, or an existing one. */
  task: z.union([z.object({ id: taskIdSchema }), newTaskSchema]),
  /** Agent, model and permission mode default to the settings. */
  attempt: createAttemptSchema.omit({ id: true }).extend({ agent: agentIdSchema.optional() }).prefault({}),
  message: commandMessageSchema,
  images: commandImagesSchema,
  /** What all executions of the task may use; replaces the task's own budget (L2). */
  budget: budgetSchema.optional(),
});
/** The body of `POST /api/starts`, as clients send it. */
export type StartTask = z.input<typeof startTaskSchema>;

/** What a start created. */
export const startedTaskSchema = z.object({
  task: taskSchema,
  attempt: attemptSchema,
  executionId: executionIdSchema,
  /** All events about it have higher sequence numbers. */
  after: sequenceSchema,
});
export type StartedTask = z.infer<typeof startedTaskSchema>;
