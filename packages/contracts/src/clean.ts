import { z } from "zod";
import { attemptIdSchema, executionIdSchema, hostIdSchema, projectIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

const bytesSchema = z.int().nonnegative();
const daysSchema = z.int().min(0).max(3650);

/** What a clean-up removes (L8). */
export const cleanKindSchema = z.enum(["worktree", "sandbox-home", "execution-log", "process"]);
export type CleanKind = z.infer<typeof cleanKindSchema>;

/**
 * After how many days without use the server removes something by itself; 0: never. Only what is safe to remove counts, as in a clean-up by
 * hand.
 */
export const retentionSettingsSchema = z.object({
  /** Worktrees of done and archived tasks without unmerged or uncommitted work. Their branches stay. */
  worktreeDays: daysSchema,
  /** Home folders that sandboxes made for attempts of done and archived tasks: caches, and the sessions of their agents. */
  sandboxHomeDays: daysSchema,
  /** Logs of executions whose messages are all in the database. */
  executionLogDays: daysSchema,
});
export type RetentionSettings = z.infer<typeof retentionSettingsSchema>;

const attemptFields = {
  projectId: projectIdSchema,
  taskId: taskIdSchema,
  taskTitle: z.string(),
  attemptId: attemptIdSchema,
  /** Of the attempt. */
  number: z.int().positive(),
  /** The worker that has it; absent: the server's own machine. */
  hostId: hostIdSchema.exactOptional(),
};

const itemFields = {
  ...attemptFields,
  /** Names the item in an order to remove it. */
  id: z.string().min(1).max(200),
  /** On disk; null: not known. */
  bytes: bytesSchema.nullable(),
  lastUsedAt: timestampSchema,
};

/** Something that can be removed without losing work. */
export const cleanItemSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("worktree"),
    ...itemFields,
    directory: z.string(),
    /** It is recreated from it. */
    branch: z.string(),
    /** Why nothing is lost: its commits were landed, or its base branch has them, or there are none. */
    because: z.enum(["landed", "merged"]),
  }),
  z.object({ kind: z.literal("sandbox-home"), ...itemFields }),
  z.object({ kind: z.literal("execution-log"), ...itemFields, executionIds: z.array(executionIdSchema) }),
  z.object({
    kind: z.literal("process"),
    ...itemFields,
    executionId: executionIdSchema,
    processes: z.array(z.object({ pid: z.int().positive(), name: z.string() })),
  }),
]);
export type CleanItem = z.infer<typeof cleanItemSchema>;

/** Why something is kept. */
export const keptReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("uncommitted"), files: z.int().positive() }),
  z.object({ code: z.literal("unmerged"), commits: z.int().positive() }),
  z.object({ code: z.literal("no-base") }),
  z.object({ code: z.literal("in-conflict") }),
  z.object({ code: z.literal("other-branch") }),
  z.object({ code: z.literal("submodules") }),
  z.object({ code: z.literal("in-use") }),
  z.object({ code: z.literal("unreachable") }),
  z.object({ code: z.literal("unreadable"), detail: z.string() }),
  z.object({ code: z.literal("not-stored") }),
  z.object({ code: z.literal("changed") }),
]);
export type KeptReason = z.infer<typeof keptReasonSchema>;

/** Something that looks removable and is not, and why. */
export const keptItemSchema = z.object({
  ...itemFields,
  kind: z.enum(["worktree", "sandbox-home", "execution-log"]),
  why: keptReasonSchema,
});
export type KeptItem = z.infer<typeof keptItemSchema>;

/** What a clean-up would remove, and what it keeps. */
export const cleanPlanSchema = z.object({ items: z.array(cleanItemSchema), kept: z.array(keptItemSchema), plannedAt: timestampSchema });
export type CleanPlan = z.infer<typeof cleanPlanSchema>;

/** Items to remove. Each is checked again right before that: what has changed meanwhile is kept. */
export const startCleanSchema = z.object({
  ids: z.array(z.string().min(1).max(200)).min(1).max(10_000),
  /** As in the plan that has them. */
  olderThanDays: daysSchema,
});
export type StartClean = z.infer<typeof startCleanSchema>;

/** What became of an item. */
export const cleanResultSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("removed"), id: z.string(), bytes: bytesSchema.nullable() }),
  z.object({ outcome: z.literal("kept"), id: z.string(), why: keptReasonSchema }),
  z.object({ outcome: z.literal("failed"), id: z.string(), detail: z.string() }),
]);
export type CleanResult = z.infer<typeof cleanResultSchema>;

/** The last clean-up of this server, or the one that is in progress. */
export const cleanRunSchema = z.object({
  startedAt: timestampSchema,
  /** Null: in progress. */
  endedAt: timestampSchema.nullable(),
  total: z.int().nonnegative(),
  results: z.array(cleanResultSchema),
});
export type CleanRun = z.infer<typeof cleanRunSchema>;
/** Null: none since the server was started. */
export const lastCleanSchema = z.object({ run: cleanRunSchema.nullable() });

/** What attempts have on disk, in bytes, largest first. */
export const attemptUseSchema = z.object({
  attempts: z.array(
    z.object({ ...attemptFields, worktree: bytesSchema, executionLogs: bytesSchema, outputs: bytesSchema, sandboxHome: bytesSchema }),
  ),
  /** Workers that were not connected: what they have is not included. */
  missingHosts: z.array(hostIdSchema),
});
export type AttemptUse = z.infer<typeof attemptUseSchema>;
