import { z } from "zod";
import { agentIdSchema, agentInfoSchema, permissionModeSchema, requestedModelSchema, workingModeSchema } from "./agent.ts";
import { approvalAnswersSchema, approvalDecisionSchema, planApprovalSchema } from "./approval.ts";
import { forkPointSchema, isolationSchema } from "./attempt.ts";
import { conversationStateSchema } from "./conversation-state.ts";
import { sequenceSchema } from "./event.ts";
import { fileDiffSchema } from "./file-diff.ts";
import { attemptIdSchema, projectIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { storageFaultSchema } from "./problem.ts";
import { sessionIdSchema } from "./session-id.ts";
import { agentModeIdSchema } from "./session-options.ts";
import { systemPromptSchema } from "./system-prompt.ts";
import { taskFieldsSchema } from "./task.ts";

/** The answer of `GET /api/health`. */
export const healthSchema = z.object({
  /** `degraded`: everything can be read, nothing can be stored. */
  status: z.enum(["ready", "degraded"]),
  version: z.string(),
  storage: z.enum(["sqlite", "postgres"]),
  /** Why nothing can be stored; `detail` says what to do. */
  problem: z.object({ cause: storageFaultSchema, detail: z.string() }).exactOptional(),
});
export type Health = z.infer<typeof healthSchema>;

const titleSchema = taskFieldsSchema.shape.title;

/** `name` defaults to the folder's name. `path` may start with `~`. */
export const createProjectSchema = z.object({
  name: titleSchema.optional(),
  path: z.string().trim().min(1, "must not be empty").max(4096),
});
/** Changes of a project; a missing field stays as it is. */
export const updateProjectSchema = z.object({ name: titleSchema, systemPrompt: systemPromptSchema }).partial();
export type CreateProject = z.infer<typeof createProjectSchema>;
export type UpdateProject = z.infer<typeof updateProjectSchema>;

/** A new task. */
export const createTaskSchema = z.object({
  projectId: projectIdSchema,
  ...taskFieldsSchema.shape,
  /** Defaults to the end of its column. */
  position: z.number().optional(),
});
/** Changes of a task; a missing field stays as it is. */
export const updateTaskSchema = z
  .object({ ...withoutDefaults(taskFieldsSchema.shape), position: z.number(), archived: z.boolean() })
  .partial();
/** Several tasks at once, all or none. */
export const updateTasksSchema = z.object({
  updates: z
    .array(z.object({ id: taskIdSchema, changes: updateTaskSchema }))
    .min(1)
    .max(500),
});
export type UpdateTasks = z.infer<typeof updateTasksSchema>;
/** A new task, as clients send it. */
export type CreateTask = z.input<typeof createTaskSchema>;
export type UpdateTask = z.infer<typeof updateTaskSchema>;

/** A new attempt. It becomes the active one of its task. */
export const createAttemptSchema = z.object({
  /** Chosen by the client. The same id sent again gives the attempt that it made. */
  id: attemptIdSchema.optional(),
  agent: agentIdSchema,
  model: requestedModelSchema.optional(),
  isolation: isolationSchema.default("worktree"),
  /** Defaults to the branch that is checked out in the project. */
  baseBranch: z.string().min(1).max(500).optional(),
  /** Defaults to that of the settings, or to `full`. */
  permissionMode: permissionModeSchema.optional(),
  /** An attempt of the same task: the new one has its history, and starts from its files as they are now. */
  continueFrom: attemptIdSchema.optional(),
  /** A point in an attempt of the same task: the new one has its history and files of that point, in a worktree. Not with `continueFrom`. */
  forkFrom: forkPointSchema.optional(),
  /** Defaults to that of the attempt it continues from, or to none. */
  systemPrompt: systemPromptSchema.optional(),
  /** An existing session of the agent, which the first message resumes. A session belongs to its folder: only for `in-place`. */
  session: sessionIdSchema.optional(),
});
/** A new attempt, as clients send it. */
export type CreateAttempt = z.input<typeof createAttemptSchema>;

/**
 * An agent that can change its model and permissions while it works does so at once, the others from the next execution on. A
 * system prompt always counts from the next execution on. The agent stays: another one is another attempt.
 */
export const updateAttemptSchema = z
  .object({
    model: requestedModelSchema,
    permissionMode: permissionModeSchema,
    /** One of those in the attempt's `sessionOptions`; null: that which fits the permission mode. */
    agentMode: agentModeIdSchema.nullable(),
    systemPrompt: systemPromptSchema,
  })
  .partial();
export type UpdateAttempt = z.infer<typeof updateAttemptSchema>;

/** The answer to an approval. */
export const answerApprovalSchema = z.object({
  decision: approvalDecisionSchema,
  reason: z.string().max(10_000).optional(),
  /** Where the agent asked questions. */
  answers: approvalAnswersSchema.optional(),
  /** Where a plan is approved. Defaults to the plan as proposed, in the attempt's mode; in `ask` where that is `plan`. */
  plan: planApprovalSchema.optional(),
});
export type AnswerApproval = z.infer<typeof answerApprovalSchema>;

/** Changes of a queued message; a missing field stays as it is. */
export const updateQueuedMessageSchema = z.object({ message: z.string().min(1).max(1_000_000) });

/** Before another one that waits for the same attempt, or at the end of the queue. */
export const moveQueuedMessageSchema = z.object({ before: queuedMessageIdSchema.nullable() });

/** The newest page has no `before`; `hasMore`: older messages exist before its first one. */
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

/** Git's mode of a file: plain, executable, a symbolic link, another repository. */
export const fileModeSchema = z.enum(["100644", "100755", "120000", "160000"]);
export type FileMode = z.infer<typeof fileModeSchema>;

/**
 * What one file of a diff was and is. `hunks` say everything about its content, unless `binary` or `incomplete` say that they
 * do not. A file that became a link, or the other way round, has hunks that remove the one and add the other.
 */
export const changedFileSchema = fileDiffSchema.extend({
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  binary: z.boolean(),
  /** Before it was renamed. */
  oldPath: z.string().optional(),
  /** Absent on the side on which there is no file, or its mode is not known. */
  oldMode: fileModeSchema.optional(),
  newMode: fileModeSchema.optional(),
  /** Git's id of the content, on the same terms. */
  oldId: z.string().optional(),
  newId: z.string().optional(),
  /**
   * Why the hunks do not say everything: the file is larger than Skein compares, it may not be read, it is a pipe, socket or
   * device, it has bytes that are no UTF-8, or the diff as a whole was too large to send.
   */
  incomplete: z.enum(["too-large", "unreadable", "special", "not-utf8", "not-sent"]).optional(),
  /** The bytes of a name that is no UTF-8, as base64. */
  pathBytes: z.string().optional(),
  oldPathBytes: z.string().optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** New files that an ignore rule keeps out of the diff. A path that ends with `/` is a folder with everything in it. */
export const excludedFilesSchema = z.object({
  paths: z.array(z.string()),
  /** More than `paths` holds when there were too many to send. */
  total: z.int().nonnegative(),
});
export type ExcludedFiles = z.infer<typeof excludedFilesSchema>;

/** What an attempt has changed since its base. */
export const attemptDiffSchema = z.object({
  baseCommit: z.string().nullable(),
  files: z.array(changedFileSchema),
  /** True when the diff was too large to send whole; the files beyond are listed without hunks. */
  truncated: z.boolean(),
  /** True where changes of others may be among those of an execution: its beginning or its end could not be recorded in time. */
  approximate: z.boolean().optional(),
  /** Absent where a diff does not end at what the folder holds now. */
  excluded: excludedFilesSchema.optional(),
  /** Folders that are repositories of their own, with submodules that were filled: what is in them is not compared. */
  nested: z.array(z.string()).optional(),
});
export type AttemptDiff = z.infer<typeof attemptDiffSchema>;

/** How much an attempt has changed. */
export const diffStatSchema = z.object({
  files: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  /** Files that differ from the last commit; only where the request asks for it. */
  uncommitted: z.int().nonnegative().optional(),
});
export type DiffStat = z.infer<typeof diffStatSchema>;

/** Ids of tasks and attempts that begin with a text, in order. */
export const foundIdsSchema = z.object({ ids: z.array(z.union([taskIdSchema, attemptIdSchema])), truncated: z.boolean() });
export type FoundIds = z.infer<typeof foundIdsSchema>;

/** A task or message that a search found. */
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
/** The answer of `GET /api/search`, best hits first. */
export const searchResultSchema = z.object({ hits: z.array(searchHitSchema) });

/** The answer of `GET /api/agents`. */
export const agentListSchema = z.object({
  agents: z.array(agentInfoSchema),
  defaultAgent: agentIdSchema,
  /** What the user chose for new attempts. */
  defaultPermissionMode: workingModeSchema.optional(),
  /** Why what stands in config.json now is not used: one sentence. The agents are those of the last version that could be read. */
  problem: z.string().exactOptional(),
});
export type AgentList = z.infer<typeof agentListSchema>;

/** A request for a launch link. */
export const createLaunchCodeSchema = z.object({
  /** Also write an HTML file, readable by its owner only, that redirects a browser to a link of its own. */
  redirectFile: z.boolean().default(false),
});

/** A single-use link that signs a browser in. `redirectFile` is the path of the file that was asked for. */
export const launchCodeSchema = z.object({ url: z.string(), redirectFile: z.string().exactOptional() });
export type LaunchCode = z.infer<typeof launchCodeSchema>;

/** A launch code, exchanged for a session. */
export const createSessionSchema = z.object({
  /** From the launch link. */
  code: z.string().max(200),
});
export type CreateSession = z.infer<typeof createSessionSchema>;

/** A browser session. The answer also sets a cookie; the session needs both. */
export const sessionSchema = z.object({
  secret: z.string(),
  expiresAt: timestampSchema,
});
export type Session = z.infer<typeof sessionSchema>;

/** Which sessions to end. */
export const logoutSchema = z.object({
  /** Ends the sessions of all browsers. */
  everywhere: z.boolean().default(false),
});
/** Which sessions to end. */
export type Logout = z.input<typeof logoutSchema>;

type WithoutDefaults<Shape> = { [Key in keyof Shape]: Shape[Key] extends z.ZodDefault<infer Inner> ? Inner : Shape[Key] };

/** For changes: a field that is missing stays as it is, and must not get its default. */
function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape): WithoutDefaults<Shape> {
  const bare = Object.entries(shape).map(([key, schema]) => [key, schema instanceof z.ZodDefault ? schema.unwrap() : schema]);
  return Object.fromEntries(bare) as WithoutDefaults<Shape>;
}
