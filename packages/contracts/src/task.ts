import { z } from "zod";
import { attemptIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

export const taskStatusSchema = z.enum(["todo", "in-progress", "in-review", "done", "cancelled"]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

export const taskPrioritySchema = z.enum(["none", "low", "medium", "high", "urgent"]);
export type TaskPriority = z.infer<typeof taskPrioritySchema>;

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
  /** Out of the way: hidden unless it is asked for. Nothing of it is deleted. */
  archived: z.boolean(),
  activeAttemptId: attemptIdSchema.nullable(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Task = z.infer<typeof taskSchema>;
