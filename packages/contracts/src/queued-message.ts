import { z } from "zod";
import { attemptIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { imagePartSchema } from "./message.ts";

/** A message sent while an execution ran; sent in order when it ends. */
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
