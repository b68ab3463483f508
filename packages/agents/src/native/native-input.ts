import { executionIdSchema, imagePartSchema, messageBodySchema, modelIdSchema, permissionModeSchema } from "@skein/contracts";
import { z } from "zod";

const entityIdSchema = z.union([z.string(), z.number()]);

/** The first line on the native agent's stdin: all that it knows of the conversation. */
export const nativeInputSchema = z.object({
  executionId: executionIdSchema,
  model: modelIdSchema,
  /** What tools are confined to. */
  directory: z.string(),
  permissionMode: permissionModeSchema,
  message: z.string(),
  images: z.array(imagePartSchema),
  /** Oldest first, without the new message. */
  history: z.array(z.object({ id: entityIdSchema, body: messageBodySchema, tokens: z.int().nonnegative().optional() })),
  summary: z.object({ messageIds: z.array(entityIdSchema), startMessageId: entityIdSchema, summary: z.string() }).nullable(),
  /** Where outputs too long to be shown are kept. */
  spillDirectory: z.string(),
});
export type NativeInput = z.infer<typeof nativeInputSchema>;
