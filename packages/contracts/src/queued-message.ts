import { z } from "zod";
import { attemptIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { imagePartSchema } from "./message.ts";

/** A message sent while an execution ran. Sent in order, each after the execution before it has succeeded. */
export const queuedMessageSchema = z.object({
  id: queuedMessageIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  message: z.string(),
  images: z.array(imagePartSchema),
  /** Meant for the agent at work; sent as a message of its own if that ends before it has taken it. */
  steer: z.boolean(),
  createdAt: timestampSchema,
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/**
 * Nothing of the queue is sent until the user resumes it. `stopped`: the user stopped the execution before it. `failed`,
 * `interrupted`: that execution did not succeed. `limit`: it reached a limit of its own.
 */
export const queuePauseSchema = z.object({ reason: z.enum(["stopped", "failed", "interrupted", "limit"]), pausedAt: timestampSchema });
export type QueuePause = z.infer<typeof queuePauseSchema>;

/** The messages of an attempt that wait, in the order in which they are sent. An empty queue is never paused. */
export const queueStateSchema = z.object({ queue: z.array(queuedMessageSchema), queuePause: queuePauseSchema.nullable() });
export type QueueState = z.infer<typeof queueStateSchema>;
