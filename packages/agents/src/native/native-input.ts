import { executionIdSchema, imagePartSchema, messageBodySchema, modelIdSchema, permissionModeSchema } from "@skein/contracts";
import { z } from "zod";

const entityIdSchema = z.union([z.string(), z.number()]);

export const modelAccessSchema = z.object({
  /** Keys and base URLs under their usual names. */
  environment: z.record(z.string(), z.string()),
  endpoints: z.record(
    z.string(),
    z.object({
      baseUrl: z.string(),
      apiKey: z.string().optional(),
      dialect: z.enum(["compatible", "mistral"]).optional(),
      contextWindow: z.int().positive().optional(),
      images: z.boolean().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
export type ModelAccess = z.infer<typeof modelAccessSchema>;

/** The first line on the native agent's stdin: all that it knows of the conversation. */
export const nativeInputSchema = z.object({
  executionId: executionIdSchema,
  model: modelIdSchema,
  /** What the model's provider asks for, and nothing of the others. Here and not in the environment, which tools could read. */
  modelAccess: modelAccessSchema,
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
