import { z } from "zod";
import { executionIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { imagePartSchema } from "./message.ts";

/** Chosen by the client. The same id sent again gives the first answer and does nothing else. */
export const commandIdSchema = z.string().min(1).max(200);

export const maxMessageLength = 1_000_000;

export const commandSchema = z.discriminatedUnion("type", [
  z.object({
    id: commandIdSchema.optional(),
    type: z.literal("SEND_MESSAGE"),
    taskId: taskIdSchema,
    message: z.string().max(maxMessageLength),
    images: z.array(imagePartSchema).max(20).optional(),
    /** While an execution runs: reaches the agent at its next tool boundary, instead of waiting for its end. */
    steer: z.boolean().optional(),
  }),
  z.object({ id: commandIdSchema.optional(), type: z.literal("STOP_EXECUTION"), taskId: taskIdSchema }),
]);
export type Command = z.infer<typeof commandSchema>;

/** `executionId`: started, steered or stopped. `queued`: waits for the running execution to end. Neither: there was nothing to stop. */
export const commandResultSchema = z.object({
  executionId: executionIdSchema.optional(),
  queued: queuedMessageIdSchema.optional(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;
