import {
  acceptedBodySchema,
  attemptIdSchema,
  compressionSchema,
  compressionSettingsSchema,
  executionIdSchema,
  imagePartSchema,
  messageIdSchema,
  messageTextSchema,
  modelIdSchema,
  permissionGrantSchema,
  permissionModeSchema,
  reasoningEffortSchema,
  usableMcpServerSchema,
} from "@skein/contracts";
import { z } from "zod";

export const entityIdSchema = z.union([z.string(), z.number()]);

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
  /** Whether a model may be a script from a file: the developer setting. */
  scripts: z.boolean().optional(),
});
export type ModelAccess = z.infer<typeof modelAccessSchema>;

/** All that the native agent knows of the conversation. */
export const nativeInputSchema = z.object({
  executionId: executionIdSchema,
  attemptId: attemptIdSchema,
  model: modelIdSchema,
  /** What the model's provider asks for, and nothing of the others. Here and not in the environment, which tools could read. */
  modelAccess: modelAccessSchema,
  /** What tools are confined to. */
  directory: z.string(),
  permissionMode: permissionModeSchema,
  /** What the user has allowed for good in this project. */
  grants: z.array(permissionGrantSchema),
  message: z.string(),
  /** Under which the message is stored. */
  messageId: messageIdSchema.optional(),
  images: z.array(imagePartSchema),
  /** Oldest first, without the new message. */
  history: z.array(z.object({ id: entityIdSchema, body: acceptedBodySchema, tokens: z.int().nonnegative().optional() })),
  /** What stands between the history and its requests. */
  compression: compressionSchema,
  /** When it is made shorter; left out, by the defaults. */
  compressionPolicy: compressionSettingsSchema.omit({ model: true }).optional(),
  /** What the provider said of the last request of this conversation; left out where it does not apply to the next one. */
  measured: z.object({ answerId: entityIdSchema, inputTokens: z.int().positive() }).optional(),
  /** Writes the summaries; left out, the model itself does. */
  summaryModel: z.object({ id: modelIdSchema, access: modelAccessSchema }).optional(),
  /** The user's own, the widest first; they come before every other. */
  systemPrompts: z.array(z.string()).optional(),
  /** Where outputs too long to be shown are kept. */
  spillDirectory: z.string(),
  /** The file that stdout is appended to: a tool runs only when its call is in there. */
  log: z.string().optional(),
  /** The execution is interrupted after this many model calls; left out, there is no limit. */
  maxSteps: z.int().positive().optional(),
  /** The execution is interrupted when it has cost this much; only where the provider or the model's price gives the cost. */
  maxCostUsd: z.number().positive().optional(),
  /** Servers whose tools it may use in addition to its own. */
  mcpServers: z.array(usableMcpServerSchema).optional(),
  /** Notices for the user, reported before anything else. */
  notices: z.array(messageTextSchema).optional(),
  /** Lets web_fetch reach this machine and its network. */
  allowPrivateAddresses: z.boolean().optional(),
  /** Asked for with every request of the turn. */
  reasoningEffort: reasoningEffortSchema.optional(),
});
export type NativeInput = z.infer<typeof nativeInputSchema>;

/** The first line on the native agent's stdin: all but the history, which may be too long for a line. */
export const nativeOrderSchema = nativeInputSchema.omit({ history: true, measured: true }).extend({
  /** A message per line (`readHistoryLines`). It is removed when it was read. */
  historyFile: z.string(),
});
export type NativeOrder = z.infer<typeof nativeOrderSchema>;
