import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { attemptIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { imagePartSchema } from "./message.ts";

/** A message that was sent while an execution ran. Queued messages are sent in order, each after the previous execution has succeeded. */
export const queuedMessageSchema = z.object({
  id: queuedMessageIdSchema,
  taskId: taskIdSchema,
  attemptId: attemptIdSchema,
  message: z.string(),
  images: z.array(imagePartSchema),
  /** For the running agent; sent as a normal message if the execution ends before the agent has accepted it. */
  steer: z.boolean(),
  /** Who sent it. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
});
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;

/**
 * Why a queue is paused until the user resumes it. `stopped`: the user stopped the previous execution. `failed`, `interrupted`: it did
 * not succeed. `limit`: it reached a limit.
 */
export const queuePauseSchema = z.object({ reason: z.enum(["stopped", "failed", "interrupted", "limit"]), pausedAt: timestampSchema });
export type QueuePause = z.infer<typeof queuePauseSchema>;

/** The waiting messages of an attempt, in sending order. An empty queue is never paused. */
export const queueStateSchema = z.object({ queue: z.array(queuedMessageSchema), queuePause: queuePauseSchema.nullable() });
export type QueueState = z.infer<typeof queueStateSchema>;
