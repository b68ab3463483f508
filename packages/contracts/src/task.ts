import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { attemptIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** The columns of the board. */
export const taskStatusSchema = z.enum(["todo", "in-progress", "in-review", "done", "cancelled"]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** `none` for a task without a priority. */
export const taskPrioritySchema = z.enum(["none", "low", "medium", "high", "urgent"]);
export type TaskPriority = z.infer<typeof taskPrioritySchema>;

/** The longest description, in UTF-16 units; a longer first message is not copied into one. */
export const longestDescription = 100_000;

/**
 * The fields of a task that users set, with their limits and the defaults of a new task. The requests that create, change and start tasks
 * are derived from them.
 */
export const taskFieldsSchema = z.object({
  title: z.string().trim().min(1, "must not be empty").max(500),
  description: z.string().max(longestDescription).default(""),
  status: taskStatusSchema.default("todo"),
  priority: taskPrioritySchema.default("none"),
  tags: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
});

/** What a user wants done in a project. */
export const taskSchema = z.object({
  id: taskIdSchema,
  projectId: projectIdSchema,
  title: z.string(),
  description: z.string(),
  status: taskStatusSchema,
  priority: taskPrioritySchema,
  tags: z.array(z.string()),
  /** Order within its column, ascending; fractions let a task move between two others. */
  position: z.number(),
  /** Hidden from the board and from lists that do not request it. Nothing is deleted. */
  archived: z.boolean(),
  activeAttemptId: attemptIdSchema.nullable(),
  /** Who created it. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Task = z.infer<typeof taskSchema>;
