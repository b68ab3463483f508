import { z } from "zod";
import { agentIdSchema, modelIdSchema, workingModeSchema } from "./agent.ts";
import { mergeModeSchema } from "./conversation-message.ts";
import { attemptIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { forgeAccessSchema } from "./pull-request.ts";
import { systemPromptSchema } from "./system-prompt.ts";

/** A provider whose key can be set. */
export const providerNameSchema = z.enum(["anthropic", "openai", "gemini"]);
export type ProviderName = z.infer<typeof providerNameSchema>;

/** Whether a provider's key is there; the key itself is never sent. */
export const providerKeySchema = z.object({
  name: providerNameSchema,
  label: z.string(),
  /** `environment` takes precedence over what is set here. */
  source: z.enum(["none", "settings", "environment"]),
  /** Whether there is one in the settings, also when the environment's is used. */
  isSet: z.boolean(),
  /** The environment variable that it is looked for in. */
  variable: z.string(),
});
export type ProviderKey = z.infer<typeof providerKeySchema>;

/** What a new attempt starts with; what is null is chosen by the server. */
export const attemptDefaultsSchema = z.object({
  agent: agentIdSchema.nullable(),
  model: modelIdSchema.nullable(),
  permissionMode: workingModeSchema.nullable(),
});
export type AttemptDefaults = z.infer<typeof attemptDefaultsSchema>;
/** Changes of the defaults for new attempts; a missing field stays as it is. */
export const updateAttemptDefaultsSchema = attemptDefaultsSchema.partial();
export type UpdateAttemptDefaults = z.infer<typeof updateAttemptDefaultsSchema>;

/** When and how long conversations of Skein's own agent are shortened for its requests (R10). Counts from the next message on. */
export const compressionSettingsSchema = z.object({
  /** False: conversations are never summarized, not even with `/compact`. */
  enabled: z.boolean(),
  /** False: only `/compact` makes a summary. */
  auto: z.boolean(),
  /** Summarize when a request has more messages than this; null: only its size counts. */
  triggerMessages: z.int().min(4).max(100_000).nullable(),
  /** Summarize when a request takes more than this part of the model's window. */
  triggerRatio: z.number().min(0.1).max(0.95),
  /** Turns at the end that stay as they are where they fit; the current one always stays. */
  keepRecentTurns: z.int().min(1).max(100),
  /** Writes the summaries; null: a cheaper model of the same provider, or the attempt's own. */
  model: modelIdSchema.nullable(),
});
export type CompressionSettings = z.infer<typeof compressionSettingsSchema>;

/** Settings of the server that apply to every project. */
export const generalSettingsSchema = z.object({
  /** How tool uses and results are shown to clients that do not ask for a mode themselves (T2). */
  mergeMode: mergeModeSchema,
  /** A running tool without a sign of life for this long is settled as timed out; 0: never (T5). */
  toolTimeoutMinutes: z
    .int()
    .min(0)
    .max(7 * 24 * 60),
  /** Model calls in one execution of Skein's own agent; 0: no limit (N2). Counts from the next message on. */
  maxSteps: z.int().min(0).max(100_000),
  compression: compressionSettingsSchema,
  /** How often failed checks and members' comments of a pull request go to the agent without being asked; 0: never (G7). */
  pullRequestRounds: z.int().min(0).max(20),
  /** For every attempt of every project; those of the project and of the attempt follow it (R5). */
  systemPrompt: systemPromptSchema,
});
export type GeneralSettings = z.infer<typeof generalSettingsSchema>;
/** What is left out stays as it is. */
export const updateGeneralSettingsSchema = generalSettingsSchema.extend({ compression: compressionSettingsSchema.partial() }).partial();
export type UpdateGeneralSettings = z.infer<typeof updateGeneralSettingsSchema>;

/** All settings, with defaults filled in. */
export const settingsSchema = z.object({
  providers: z.array(providerKeySchema),
  defaults: attemptDefaultsSchema,
  general: generalSettingsSchema,
  forges: z.array(forgeAccessSchema),
});
export type Settings = z.infer<typeof settingsSchema>;

/** A key to store for a provider. It is never sent back. */
export const setProviderKeySchema = z.object({
  apiKey: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2000)
    // A key goes into a header: anything else would break the request, or add to it.
    .regex(/^[\x21-\x7e]+$/, "must be letters, digits and signs without spaces"),
});

const bytesSchema = z.int().nonnegative();

/** What the data dir holds, in bytes on disk. */
export const storageUseSchema = z.object({
  database: bytesSchema,
  /** What agents wrote, byte for byte. */
  executionLogs: bytesSchema,
  /** Tool outputs that were too long to be shown. */
  outputs: bytesSchema,
  worktrees: bytesSchema,
  /** Logs and outputs of executions that the database does not know. */
  quarantine: bytesSchema,
  /** What was deleted and is being removed in the background: messages in the database, bytes of `worktrees`. */
  deleting: z.object({ messages: z.int().nonnegative(), worktrees: bytesSchema }),
  /** The server's own log, backups. */
  other: bytesSchema,
  projects: z.array(z.object({ projectId: projectIdSchema, worktrees: bytesSchema, executionLogs: bytesSchema, outputs: bytesSchema })),
});
export type StorageUse = z.infer<typeof storageUseSchema>;

const usageSums = {
  executions: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** Null when nobody reported a cost. */
  costUsd: z.number().nonnegative().nullable(),
  /** An agent reported the tokens of some of its requests only: at least so many were used. */
  isPartial: z.boolean(),
};

/** Executions that ended, by the day on which they started and by agent; and the attempts that cost most. */
export const usageReportSchema = z.object({
  days: z.array(z.object({ day: z.iso.date(), agent: agentIdSchema, ...usageSums })),
  attempts: z.array(
    z.object({
      attemptId: attemptIdSchema,
      taskId: taskIdSchema,
      taskTitle: z.string(),
      number: z.int().positive(),
      agent: agentIdSchema,
      ...usageSums,
    }),
  ),
});
export type UsageReport = z.infer<typeof usageReportSchema>;

/** `from` to before `to`. Days begin at midnight of a clock that is `utcOffsetMinutes` ahead of UTC. */
export const usageQuerySchema = z.object({
  from: timestampSchema,
  to: timestampSchema,
  utcOffsetMinutes: z
    .int()
    .min(-14 * 60)
    .max(14 * 60),
  projectId: projectIdSchema.optional(),
});
export type UsageQuery = z.infer<typeof usageQuerySchema>;
