import { z } from "zod";
import { agentIdSchema, agentInfoSchema, modelIdSchema, permissionModeSchema } from "./agent.ts";
import { approvalAnswersSchema, approvalDecisionSchema } from "./approval.ts";
import { isolationSchema } from "./attempt.ts";
import { conversationStateSchema } from "./conversation-state.ts";
import { sequenceSchema } from "./event.ts";
import { attemptIdSchema, projectIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { systemPromptSchema } from "./system-prompt.ts";
import { taskPrioritySchema, taskStatusSchema } from "./task.ts";
import { fileDiffSchema } from "./tool-details.ts";

export const healthSchema = z.object({
  /** It answers only once it is ready. */
  status: z.literal("ready"),
  version: z.string(),
  storage: z.enum(["sqlite", "postgres"]),
});
export type Health = z.infer<typeof healthSchema>;

const titleSchema = z.string().trim().min(1, "must not be empty").max(500);
const descriptionSchema = z.string().max(100_000);
const tagsSchema = z.array(z.string().trim().min(1).max(100)).max(50);

/** `name` defaults to the folder's name. `path` may start with `~`. */
export const createProjectSchema = z.object({
  name: titleSchema.optional(),
  path: z.string().trim().min(1, "must not be empty").max(4096),
});
export const updateProjectSchema = z.object({ name: titleSchema, systemPrompt: systemPromptSchema }).partial();
export type CreateProject = z.infer<typeof createProjectSchema>;
export type UpdateProject = z.infer<typeof updateProjectSchema>;

export const createTaskSchema = z.object({
  projectId: projectIdSchema,
  title: titleSchema,
  description: descriptionSchema.default(""),
  status: taskStatusSchema.default("todo"),
  priority: taskPrioritySchema.default("none"),
  tags: tagsSchema.default([]),
  /** Defaults to the end of its column. */
  position: z.number().optional(),
});
export const updateTaskSchema = z
  .object({
    title: titleSchema,
    description: descriptionSchema,
    status: taskStatusSchema,
    priority: taskPrioritySchema,
    tags: tagsSchema,
    position: z.number(),
    archived: z.boolean(),
  })
  .partial();
/** Several tasks at once, all or none. */
export const updateTasksSchema = z.object({
  updates: z
    .array(z.object({ id: taskIdSchema, changes: updateTaskSchema }))
    .min(1)
    .max(500),
});
export type UpdateTasks = z.infer<typeof updateTasksSchema>;
export type CreateTask = z.input<typeof createTaskSchema>;
export type UpdateTask = z.infer<typeof updateTaskSchema>;

export const createAttemptSchema = z.object({
  /** Chosen by the client. The same id sent again gives the attempt that it made. */
  id: attemptIdSchema.optional(),
  agent: agentIdSchema,
  model: modelIdSchema.optional(),
  isolation: isolationSchema.default("worktree"),
  /** Defaults to the branch that is checked out in the project. */
  baseBranch: z.string().min(1).max(500).optional(),
  permissionMode: permissionModeSchema.default("full"),
  /** An attempt of the same task: the new one has its history, and starts from its files as they are now. */
  continueFrom: attemptIdSchema.optional(),
  /** Defaults to that of the attempt it continues from, or to none. */
  systemPrompt: systemPromptSchema.optional(),
});
export type CreateAttempt = z.input<typeof createAttemptSchema>;

/**
 * An agent that can change its model and permissions while it works does so at once, the others from the next execution on. A
 * system prompt always counts from the next execution on. The agent stays: another one is another attempt.
 */
export const updateAttemptSchema = z
  .object({ model: modelIdSchema, permissionMode: permissionModeSchema, systemPrompt: systemPromptSchema })
  .partial();
export type UpdateAttempt = z.infer<typeof updateAttemptSchema>;

export const answerApprovalSchema = z.object({
  decision: approvalDecisionSchema,
  reason: z.string().max(10_000).optional(),
  /** Where the agent asked questions. */
  answers: approvalAnswersSchema.optional(),
});
export type AnswerApproval = z.infer<typeof answerApprovalSchema>;

export const updateQueuedMessageSchema = z.object({ message: z.string().min(1).max(1_000_000) });

/** Before another one that waits for the same attempt, or at the end of the queue. */
export const moveQueuedMessageSchema = z.object({ before: queuedMessageIdSchema.nullable() });

/** The newest page has no `before`; `hasMore` tells whether older messages exist before its first. */
export const conversationPageSchema = conversationStateSchema.extend({
  lastSeq: sequenceSchema,
  hasMore: z.boolean(),
  /** Whether messages exist after its last; absent in pages that reach to the end, or to what the client has. */
  hasNewer: z.boolean().optional(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** Where a text occurs in a conversation, in its order. */
export const foundMessagesSchema = z.object({ messageIds: z.array(z.string()), truncated: z.boolean() });
export type FoundMessages = z.infer<typeof foundMessagesSchema>;

/** The summary that stands for older messages now: the only one that can be taken back. */
export const activeCompressionSchema = z.object({ summaryId: z.string().nullable() });
export type ActiveCompression = z.infer<typeof activeCompressionSchema>;

export const attemptDiffSchema = z.object({
  baseCommit: z.string().nullable(),
  files: z.array(fileDiffSchema.extend({ additions: z.int().nonnegative(), deletions: z.int().nonnegative(), binary: z.boolean() })),
  /** True when the diff was too large to send whole; the files beyond are listed without hunks. */
  truncated: z.boolean(),
  /** True where changes of others may be among those of an execution: its beginning or its end could not be recorded in time. */
  approximate: z.boolean().optional(),
});
export type AttemptDiff = z.infer<typeof attemptDiffSchema>;

/** How much an attempt has changed. */
export const diffStatSchema = z.object({
  files: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type DiffStat = z.infer<typeof diffStatSchema>;

export const searchHitSchema = z.object({
  kind: z.enum(["task", "message"]),
  /** What it was found in: of a task its title or description, of a message who said it. */
  source: z.enum(["title", "description", "user", "assistant", "thinking", "tool", "other"]),
  projectId: projectIdSchema,
  taskId: taskIdSchema,
  taskTitle: z.string(),
  attemptId: attemptIdSchema.optional(),
  messageId: z.string().optional(),
  /** When it was said, or the task changed. */
  at: timestampSchema,
  /** Plain text on one line. */
  excerpt: z.string(),
  /** Where the words that were looked for stand in `excerpt`: from, to, in order. */
  ranges: z.array(z.tuple([z.int().nonnegative(), z.int().positive()])),
});
export type SearchHit = z.infer<typeof searchHitSchema>;
export const searchResultSchema = z.object({ hits: z.array(searchHitSchema) });

export const agentListSchema = z.object({
  agents: z.array(agentInfoSchema),
  defaultAgent: agentIdSchema,
  /** What the person chose for new attempts. */
  defaultPermissionMode: permissionModeSchema.optional(),
});
export type AgentList = z.infer<typeof agentListSchema>;

/** A single-use way into the browser UI. */
export const launchCodeSchema = z.object({ url: z.string() });
export type LaunchCode = z.infer<typeof launchCodeSchema>;
