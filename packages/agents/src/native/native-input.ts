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

/** The native agent's complete input. */
export const nativeInputSchema = z.object({
  executionId: executionIdSchema,
  attemptId: attemptIdSchema,
  model: modelIdSchema,
  /** Access for the model's provider only. Not in the environment, which tools could read. */
  modelAccess: modelAccessSchema,
  /** The folder that tools are confined to. */
  directory: z.string(),
  permissionMode: permissionModeSchema,
  /** What the user has permanently allowed in this project. */
  grants: z.array(permissionGrantSchema),
  message: z.string(),
  /** The id under which the message is stored. */
  messageId: messageIdSchema.optional(),
  images: z.array(imagePartSchema),
  /** Oldest first, without the new message. */
  history: z.array(z.object({ id: entityIdSchema, body: acceptedBodySchema, tokens: z.int().nonnegative().optional() })),
  /** Transforms the history for requests. */
  compression: compressionSchema,
  /** When it is shortened; default settings if absent. */
  compressionPolicy: compressionSettingsSchema.omit({ model: true }).optional(),
  /** The provider's figures for the last request of this conversation; absent if they do not apply to the next one. */
  measured: z.object({ answerId: entityIdSchema, inputTokens: z.int().positive() }).optional(),
  /** The model that writes summaries; default: the model itself. */
  summaryModel: z.object({ id: modelIdSchema, access: modelAccessSchema }).optional(),
  /** The user's own system prompts, the most general first; they precede all others. */
  systemPrompts: z.array(z.string()).optional(),
  /** Folder for outputs that are too long to be shown. */
  spillDirectory: z.string(),
  /** The file that stdout is appended to: a tool runs only after its call is in there. */
  log: z.string().optional(),
  /** The execution is interrupted after this many model calls; no limit if absent. */
  maxSteps: z.int().positive().optional(),
  /** The execution is interrupted when it has cost this much; only if the provider or the model's price gives the cost. */
  maxCostUsd: z.number().positive().optional(),
  /** A budget applies: it asks before each call of a model. */
  asksBeforeCalls: z.boolean().optional(),
  /** Servers whose tools it may use in addition to its own. */
  mcpServers: z.array(usableMcpServerSchema).optional(),
  /** Notices for the user, reported before anything else. */
  notices: z.array(messageTextSchema).optional(),
  /** Lets web_fetch access this machine and its network. */
  allowPrivateAddresses: z.boolean().optional(),
  /** Requested with every model call of the turn. */
  reasoningEffort: reasoningEffortSchema.optional(),
});
export type NativeInput = z.infer<typeof nativeInputSchema>;

/** The first line on the native agent's stdin: everything except the history, which may be too long for a line. */
export const nativeOrderSchema = nativeInputSchema.omit({ history: true, measured: true }).extend({
  /** A file with one message per line (`readHistoryLines`), deleted after it was read. */
  historyFile: z.string(),
});
export type NativeOrder = z.infer<typeof nativeOrderSchema>;
