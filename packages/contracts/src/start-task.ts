import { z } from "zod";
import { agentIdSchema } from "./agent.ts";
import { attemptSchema } from "./attempt.ts";
import { commandIdSchema, commandImagesSchema, commandMessageSchema } from "./command.ts";
import { sequenceSchema } from "./event.ts";
import { createAttemptSchema, createTaskSchema } from "./http.ts";
import { executionIdSchema, taskIdSchema } from "./ids.ts";
import { taskSchema } from "./task.ts";

/** A new task. Without a title it gets one from the first message; without a description, the message itself. */
const newTaskSchema = createTaskSchema
  .pick({ projectId: true, priority: true, tags: true })
  .extend({ title: createTaskSchema.shape.title.optional(), description: z.string().max(100_000).optional() });

/** A task, an attempt at it and its first message. */
export const startTaskSchema = z.object({
  /** Chosen by the client. The same id sent again gives what the first request made, and makes nothing else. */
  id: commandIdSchema,
  /** A new task, or one that is there. */
  task: z.union([z.object({ id: taskIdSchema }), newTaskSchema]),
  /** Agent, model and permission mode default to those of the settings. */
  attempt: createAttemptSchema.omit({ id: true }).extend({ agent: agentIdSchema.optional() }).prefault({}),
  message: commandMessageSchema,
  images: commandImagesSchema,
});
export type StartTask = z.input<typeof startTaskSchema>;

export const startedTaskSchema = z.object({
  task: taskSchema,
  attempt: attemptSchema,
  executionId: executionIdSchema,
  /** All events about it come after this number. */
  after: sequenceSchema,
});
export type StartedTask = z.infer<typeof startedTaskSchema>;
