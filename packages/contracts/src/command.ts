import { z } from "zod";
import { toImagePart } from "./foreign-message.ts";
import { attemptIdSchema, executionIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { imagePartSchema } from "./message.ts";

/** Chosen by the client. Repeating an id returns the first result and does nothing else. */
export const commandIdSchema = z.string().min(1).max(200);

/** In UTF-16 units. */
export const maxMessageLength = 1_000_000;

/** An image as a part or as a data URL. */
const commandImageSchema = z.union([
  imagePartSchema,
  z.string().transform((value, context) => {
    const image = toImagePart(value);
    if (image !== undefined) return image;
    context.issues.push({ code: "custom", message: "must be a data URL of a PNG, JPEG, GIF or WebP image", input: value });
    return z.NEVER;
  }),
]);

/** The text of a message that a user sends. */
export const commandMessageSchema = z.string().max(maxMessageLength);
/** At most 20 images; `null` is accepted for none. */
export const commandImagesSchema = z.array(commandImageSchema).max(20).nullish();

/** Without `attemptId` a command applies to the task's active attempt. */
export const commandSchema = z.discriminatedUnion("type", [
  z.object({
    id: commandIdSchema.optional(),
    type: z.literal("SEND_MESSAGE"),
    taskId: taskIdSchema,
    attemptId: attemptIdSchema.optional(),
    message: commandMessageSchema,
    images: commandImagesSchema,
    /** While an execution runs: delivered to the agent at its next tool boundary, instead of after its end. */
    steer: z.boolean().optional(),
  }),
  z.object({
    id: commandIdSchema.optional(),
    /** Also pauses the attempt's queue, if it is not empty. */
    type: z.literal("STOP_EXECUTION"),
    taskId: taskIdSchema,
    attemptId: attemptIdSchema.optional(),
  }),
  z.object({
    id: commandIdSchema.optional(),
    /** Resends the message of an execution that ended with the code `not-answered` and is the last of its attempt. */
    type: z.literal("RETRY_EXECUTION"),
    taskId: taskIdSchema,
    attemptId: attemptIdSchema.optional(),
    executionId: executionIdSchema,
  }),
  z.object({
    id: commandIdSchema.optional(),
    /** Resumes a paused queue. Its first message is sent now, or when the running execution has succeeded. */
    type: z.literal("RESUME_QUEUE"),
    taskId: taskIdSchema,
    attemptId: attemptIdSchema.optional(),
  }),
]);
export type Command = z.infer<typeof commandSchema>;

/** `executionId`: started, steered or stopped. `queued`: waits for the running execution. Neither: there was nothing to do. */
export const commandResultSchema = z.object({
  executionId: executionIdSchema.optional(),
  queued: queuedMessageIdSchema.optional(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;
