import { z } from "zod";
import { agentIdSchema, modelIdSchema, workingModeSchema } from "./agent.ts";
import { agentLimitsSchema } from "./agent-access.ts";
import { budgetSettingsSchema } from "./budget.ts";
import { retentionSettingsSchema } from "./clean.ts";
import { mergeModeSchema } from "./conversation-message.ts";
import { attemptIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { importTargetSchema } from "./import.ts";
import { timestampSchema } from "./json.ts";
import { parkingSettingsSchema } from "./parking.ts";
import { forgeAccessSchema } from "./pull-request.ts";
import { resourceSettingsSchema } from "./resource-limits.ts";
import { sandboxSettingsSchema, sandboxSupportSchema } from "./sandbox.ts";
import { systemPromptSchema } from "./system-prompt.ts";

/** A provider whose key can be set. */
export const providerNameSchema = z.enum(["anthropic", "openai", "gemini"]);
export type ProviderName = z.infer<typeof providerNameSchema>;

/** Whether a provider's key is set; the key itself is never sent. */
export const providerKeySchema = z.object({
  name: providerNameSchema,
  label: z.string(),
  /** `environment` takes precedence over the settings. */
  source: z.enum(["none", "settings", "environment"]),
  /** Whether the settings have a key, even if the environment's is used. */
  isSet: z.boolean(),
  /** Its environment variable. */
  variable: z.string(),
});
export type ProviderKey = z.infer<typeof providerKeySchema>;

/** Defaults of a new attempt; null values are chosen by the server. */
export const attemptDefaultsSchema = z.object({
  agent: agentIdSchema.nullable(),
  model: modelIdSchema.nullable(),
  permissionMode: workingModeSchema.nullable(),
});
export type AttemptDefaults = z.infer<typeof attemptDefaultsSchema>;
/** Changes of the defaults for new attempts; absent fields keep their values. */
export const updateAttemptDefaultsSchema = attemptDefaultsSchema.partial();
export type UpdateAttemptDefaults = z.infer<typeof updateAttemptDefaultsSchema>;

/** When and how conversations of the native agent are shortened for its requests (R10). Applies from the next message. */
export const compressionSettingsSchema = z.object({
  /** False: conversations are never summarized, not even with `/compact`. */
  enabled: z.boolean(),
  /** False: only `/compact` makes a summary. */
  auto: z.boolean(),
  /** Summarize if a request has more messages than this; null: only its size counts. */
  triggerMessages: z.int().min(4).max(100_000).nullable(),
  /** Summarize if a request takes more than this fraction of the model's context window. */
  triggerRatio: z.number().min(0.1).max(0.95),
  /** Number of turns at the end that are kept if they fit; the current one is always kept. */
  keepRecentTurns: z.int().min(1).max(100),
  /** The model that writes summaries; null: a cheaper model of the same provider, or the attempt's own. */
  model: modelIdSchema.nullable(),
});
export type CompressionSettings = z.infer<typeof compressionSettingsSchema>;

const limitSchema = z.int().min(1).max(1000);

/** How many executions may run at the same time (L1); what exceeds a limit waits for its turn. Absent: no limit. */
export const runningLimitsSchema = z.object({
  /** Of all projects and agents. Null: no limit. */
  running: limitSchema.nullable(),
  perAgent: z.record(agentIdSchema, limitSchema),
  perProject: z.record(projectIdSchema, limitSchema),
});
export type RunningLimits = z.infer<typeof runningLimitsSchema>;

/** Settings of the server that apply to every project. */
export const generalSettingsSchema = z.object({
  /** How tool uses and results are shown to clients that do not request a mode themselves (T2). */
  mergeMode: mergeModeSchema,
  /** A running tool without output for this long is settled as timed out; 0: never (T5). */
  toolTimeoutMinutes: z
    .int()
    .min(0)
    .max(7 * 24 * 60),
  /** Limit of model calls in one execution of the native agent; 0: no limit (N2). Applies from the next message. */
  maxSteps: z.int().min(0).max(100_000),
  compression: compressionSettingsSchema,
  limits: runningLimitsSchema,
  /** How much agents may use before the user is asked (L2). */
  budgets: budgetSettingsSchema,
  /** What happens when a provider accepts no more requests (L3). */
  parking: parkingSettingsSchema,
  /** How often failed checks and members' comments of a pull request go to the agent without being asked; 0: never (G7). */
  pullRequestRounds: z.int().min(0).max(20),
  /** How imported sessions are filed (I1). Applies from the next import. */
  importAs: importTargetSchema,
  /** New and grown sessions of other programs are imported while the server runs (I1). */
  importWatch: z.boolean(),
  /** For every attempt of every project; followed by those of the project and of the attempt (R5). */
  systemPrompt: systemPromptSchema,
  /** What agents that may use Skein can start below one message of a user (M1). Applies from the next message. */
  agentLimits: agentLimitsSchema,
  /** What the processes of one execution may use together (L7). Applies from the next message. */
  resources: resourceSettingsSchema,
  sandbox: sandboxSettingsSchema,
  /** What the server removes by itself, and when (L8). */
  retention: retentionSettingsSchema,
});
export type GeneralSettings = z.infer<typeof generalSettingsSchema>;
/** Absent fields keep their values. */
export const updateGeneralSettingsSchema = generalSettingsSchema
  .extend({
    compression: compressionSettingsSchema.partial(),
    limits: runningLimitsSchema.partial(),
    budgets: budgetSettingsSchema.partial(),
    parking: parkingSettingsSchema.partial(),
    agentLimits: agentLimitsSchema.partial(),
    resources: resourceSettingsSchema.partial(),
    sandbox: sandboxSettingsSchema.partial(),
    retention: retentionSettingsSchema.partial(),
  })
  .partial();
export type UpdateGeneralSettings = z.infer<typeof updateGeneralSettingsSchema>;

/** All settings, with defaults filled in. */
export const settingsSchema = z.object({
  providers: z.array(providerKeySchema),
  defaults: attemptDefaultsSchema,
  general: generalSettingsSchema,
  forges: z.array(forgeAccessSchema),
  /** Whether the server's own machine can run sandboxes. */
  sandboxSupport: sandboxSupportSchema,
});
export type Settings = z.infer<typeof settingsSchema>;

/** A key to store for a provider. It is never sent back. */
export const setProviderKeySchema = z.object({
  apiKey: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2000)
    // a key is sent in a header: other characters would break the request, or add headers to it
    .refine((key) => /^[\x21-\x7e]+$/.test(key), {
      error: "must be letters, digits and symbols without spaces",
      params: { rule: "provider-key" },
    }),
});

const bytesSchema = z.int().nonnegative();

/** The content of the data dir, in bytes on disk. */
export const storageUseSchema = z.object({
  database: bytesSchema,
  /** The agents' output. */
  executionLogs: bytesSchema,
  /** Tool outputs that were too long to be shown. */
  outputs: bytesSchema,
  worktrees: bytesSchema,
  /** Home folders of sandboxes. */
  sandboxHomes: bytesSchema,
  /** Logs and outputs of executions that the database does not have. */
  quarantine: bytesSchema,
  /** Deleted data that is being removed in the background: messages in the database, bytes of `worktrees`. */
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
  /** Null if no cost was reported. */
  costUsd: z.number().nonnegative().nullable(),
  /** An agent reported the tokens of only some of its requests: the figures are lower bounds. */
  isPartial: z.boolean(),
};

/** Executions that ended, by start day and agent; and the most expensive attempts. */
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

/** From `from` to before `to`. Days begin at midnight of a clock that is `utcOffsetMinutes` ahead of UTC. */
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
