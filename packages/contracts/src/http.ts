import { z } from "zod";
import { agentIdSchema, agentInfoSchema, permissionModeSchema, requestedModelSchema, workingModeSchema } from "./agent.ts";
import { approvalAnswersSchema, approvalDecisionSchema, planApprovalSchema } from "./approval.ts";
import { forkPointSchema, isolationSchema } from "./attempt.ts";
import { configProblemSchema } from "./coded-texts/problem-text.ts";
import { conversationStateSchema } from "./conversation-state.ts";
import { sequenceSchema } from "./event.ts";
import { fileDiffSchema } from "./file-diff.ts";
import { attemptIdSchema, projectIdSchema, queuedMessageIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { storageFaultSchema } from "./problem.ts";
import { sandboxSchema } from "./sandbox.ts";
import { sessionIdSchema } from "./session-id.ts";
import { agentModeIdSchema } from "./session-options.ts";
import { systemPromptSchema } from "./system-prompt.ts";
import { taskFieldsSchema } from "./task.ts";
import { workerChoiceSchema } from "./worker.ts";

/** The answer of `GET /api/health`. */
export const healthSchema = z.object({
  /** `degraded`: everything can be read, nothing can be stored. */
  status: z.enum(["ready", "degraded"]),
  version: z.string(),
  storage: z.enum(["sqlite", "postgres"]),
  /** Why nothing can be stored; `detail` includes what to do. */
  problem: z.object({ cause: storageFaultSchema, detail: z.string() }).exactOptional(),
});
export type Health = z.infer<typeof healthSchema>;

const titleSchema = taskFieldsSchema.shape.title;

/** `name` defaults to the folder's name. `path` may start with `~`. */
export const createProjectSchema = z.object({
  name: titleSchema.optional(),
  path: z.string().trim().min(1, "must not be empty").max(4096),
});
/** Changes of a project; absent fields keep their values. */
export const updateProjectSchema = z
  .object({
    name: titleSchema,
    systemPrompt: systemPromptSchema,
    autoCommit: z.boolean(),
    runChecks: z.boolean(),
    workersFetch: z.boolean(),
    agentAccess: z.boolean(),
  })
  .partial();
export type CreateProject = z.infer<typeof createProjectSchema>;
export type UpdateProject = z.infer<typeof updateProjectSchema>;

/** A new task. */
export const createTaskSchema = z.object({
  projectId: projectIdSchema,
  ...taskFieldsSchema.shape,
  /** Default: the end of its column. */
  position: z.number().optional(),
  /** Chosen by the client. Repeating an id with the same content returns the task that it created. */
  id: taskIdSchema.optional(),
});
/** Changes of a task; absent fields keep their values. */
export const updateTaskSchema = z
  .object({ ...withoutDefaults(taskFieldsSchema.shape), position: z.number(), archived: z.boolean() })
  .partial();
/** Several tasks at once, all or nothing. */
export const updateTasksSchema = z.object({
  updates: z
    .array(z.object({ id: taskIdSchema, changes: updateTaskSchema }))
    .min(1)
    .max(500),
});
export type UpdateTasks = z.infer<typeof updateTasksSchema>;
/** A new task in a request, before defaults. */
export type CreateTask = z.input<typeof createTaskSchema>;
export type UpdateTask = z.infer<typeof updateTaskSchema>;

/** A new attempt. It becomes the active one of its task. */
export const createAttemptSchema = z.object({
  /** Chosen by the client. Repeating an id returns the attempt that it created. */
  id: attemptIdSchema.optional(),
  agent: agentIdSchema,
  model: requestedModelSchema.optional(),
  isolation: isolationSchema.default("worktree"),
  /** Default: the branch that is checked out in the project. */
  baseBranch: z.string().min(1).max(500).optional(),
  /** Default: that of the settings, or `full`. */
  permissionMode: permissionModeSchema.optional(),
  /** An attempt of the same task to continue: the new one has its history, and starts from its current files. */
  continueFrom: attemptIdSchema.optional(),
  /** A point in an attempt of the same task: the new one has its history and files at that point, in a worktree. Not with `continueFrom`. */
  forkFrom: forkPointSchema.optional(),
  /** Default: that of the attempt it continues from, or none. */
  systemPrompt: systemPromptSchema.optional(),
  /** An existing session of the agent, resumed by the first message. A session belongs to its folder: only for `in-place`. */
  session: sessionIdSchema.optional(),
  /** A worker's id or name, or a tag that workers have. Default: the server's own machine. */
  host: workerChoiceSchema.optional(),
  /** Whether its agent may use Skein. Default: as the project says. */
  agentAccess: z.boolean().optional(),
  /** How its agent is confined. Default: as the settings say; for an attempt that continues another one, as that one. */
  sandbox: sandboxSchema.optional(),
});
/** A new attempt in a request, before defaults. */
export type CreateAttempt = z.input<typeof createAttemptSchema>;

/**
 * Model and permissions change immediately if the running agent supports it, otherwise with the next execution. A system prompt changes
 * with the next execution. The agent cannot be changed: create another attempt instead.
 */
export const updateAttemptSchema = z
  .object({
    model: requestedModelSchema,
    permissionMode: permissionModeSchema,
    /** One of those in the attempt's `sessionOptions`; null: the one that fits the permission mode. */
    agentMode: agentModeIdSchema.nullable(),
    systemPrompt: systemPromptSchema,
    /** Applies from the next execution. */
    agentAccess: z.boolean(),
    /** Applies from the next execution. */
    sandbox: sandboxSchema,
    /** Hides it from lists, or restores it. Stops what runs in it; not for the active attempt. */
    archived: z.boolean(),
  })
  .partial();
export type UpdateAttempt = z.infer<typeof updateAttemptSchema>;

/** The answer to an approval. */
export const answerApprovalSchema = z.object({
  decision: approvalDecisionSchema,
  reason: z.string().max(10_000).optional(),
  /** For questions of the agent. */
  answers: approvalAnswersSchema.optional(),
  /** For an approved plan. Default: the plan as proposed, in the attempt's mode; in `ask` if that is `plan`. */
  plan: planApprovalSchema.optional(),
});
export type AnswerApproval = z.infer<typeof answerApprovalSchema>;

/** Changes of a queued message; absent fields keep their values. */
export const updateQueuedMessageSchema = z.object({ message: z.string().min(1).max(1_000_000) });

/** Moves it before another message of the same queue, or to the end. */
export const moveQueuedMessageSchema = z.object({ before: queuedMessageIdSchema.nullable() });

/** The newest page has no `before`; `hasMore`: there are older messages before its first one. */
export const conversationPageSchema = conversationStateSchema.extend({
  lastSeq: sequenceSchema,
  hasMore: z.boolean(),
  /** Whether there are messages after its last; absent in pages that reach to the end, or to what the client has. */
  hasNewer: z.boolean().optional(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** Positions of a text in a conversation, in conversation order. */
export const foundMessagesSchema = z.object({ messageIds: z.array(z.string()), truncated: z.boolean() });
export type FoundMessages = z.infer<typeof foundMessagesSchema>;

/** The active summary: the only one that can be undone. */
export const activeCompressionSchema = z.object({ summaryId: z.string().nullable() });
export type ActiveCompression = z.infer<typeof activeCompressionSchema>;

/** Git's mode of a file: regular, executable, symbolic link, nested repository. */
export const fileModeSchema = z.enum(["100644", "100755", "120000", "160000"]);
export type FileMode = z.infer<typeof fileModeSchema>;

/**
 * The change of one file. `hunks` describe all of its content, unless `binary` or `incomplete` is set. A file that became a link, or vice
 * versa, has hunks that remove the one and add the other.
 */
export const changedFileSchema = fileDiffSchema.extend({
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  binary: z.boolean(),
  /** Path before it was renamed. */
  oldPath: z.string().optional(),
  /** Absent on a side without the file, or if the mode is unknown. */
  oldMode: fileModeSchema.optional(),
  newMode: fileModeSchema.optional(),
  /** Git's id of the content; absent under the same conditions. */
  oldId: z.string().optional(),
  newId: z.string().optional(),
  /**
   * Why the hunks are incomplete: the file is too large to compare, unreadable, a pipe, socket or device, not UTF-8, or the whole diff
   * was too large to send.
   */
  incomplete: z.enum(["too-large", "unreadable", "special", "not-utf8", "not-sent"]).optional(),
  /** The bytes of a name that is not UTF-8, as base64. */
  pathBytes: z.string().optional(),
  oldPathBytes: z.string().optional(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

/** New files that an ignore rule excludes from the diff. A path that ends with `/` is a folder with everything in it. */
export const excludedFilesSchema = z.object({
  paths: z.array(z.string()),
  /** Total number; more than `paths` has if there were too many to send. */
  total: z.int().nonnegative(),
});
export type ExcludedFiles = z.infer<typeof excludedFilesSchema>;

/** What an attempt has changed since its base. */
export const attemptDiffSchema = z.object({
  baseCommit: z.string().nullable(),
  files: z.array(changedFileSchema),
  /** True if the diff was too large to send completely; further files are listed without hunks. */
  truncated: z.boolean(),
  /** True if changes of others may be included: the beginning or end of the execution could not be recorded in time. */
  approximate: z.boolean().optional(),
  /** Absent if the diff does not end at the folder's current content. */
  excluded: excludedFilesSchema.optional(),
  /** Folders that are repositories of their own, including initialized submodules: their content is not compared. */
  nested: z.array(z.string()).optional(),
});
export type AttemptDiff = z.infer<typeof attemptDiffSchema>;

/** The size of an attempt's changes. */
export const diffStatSchema = z.object({
  files: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
  /** Files that differ from the last commit; only if requested. */
  uncommitted: z.int().nonnegative().optional(),
});
export type DiffStat = z.infer<typeof diffStatSchema>;

/** Ids of tasks and attempts with a prefix, in order. */
export const foundIdsSchema = z.object({ ids: z.array(z.union([taskIdSchema, attemptIdSchema])), truncated: z.boolean() });
export type FoundIds = z.infer<typeof foundIdsSchema>;

/** A task or message found by a search. */
export const searchHitSchema = z.object({
  kind: z.enum(["task", "message"]),
  /** The matching field of a task, or the role of a message. */
  source: z.enum(["title", "description", "user", "assistant", "thinking", "tool", "other"]),
  projectId: projectIdSchema,
  taskId: taskIdSchema,
  taskTitle: z.string(),
  attemptId: attemptIdSchema.optional(),
  messageId: z.string().optional(),
  /** Time of the message, or of the task's last change. */
  at: timestampSchema,
  /** Plain text on one line. */
  excerpt: z.string(),
  /** Positions of the search terms in `excerpt`: from, to, in order. */
  ranges: z.array(z.tuple([z.int().nonnegative(), z.int().positive()])),
});
export type SearchHit = z.infer<typeof searchHitSchema>;
/** The answer of `GET /api/search`, best hits first. */
export const searchResultSchema = z.object({ hits: z.array(searchHitSchema) });

/** The answer of `GET /api/agents`. */
export const agentListSchema = z.object({
  agents: z.array(agentInfoSchema),
  defaultAgent: agentIdSchema,
  /** The user's default for new attempts. */
  defaultPermissionMode: workingModeSchema.optional(),
  /** Of new attempts. Absent: none. */
  defaultSandbox: sandboxSchema.optional(),
  /** Why the current config.json is not used: one English sentence. The agents are those of its last valid version. */
  problem: z.string().exactOptional(),
  /** `problem` as data. */
  problemText: configProblemSchema.exactOptional(),
});
export type AgentList = z.infer<typeof agentListSchema>;

/** A request for a launch link. */
export const createLaunchCodeSchema = z.object({
  /** Also writes an HTML file, readable by its owner only, that redirects a browser to a link of its own. */
  redirectFile: z.boolean().default(false),
});

/** A single-use link that signs a browser in. `redirectFile` is the path of the requested file. */
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

/** For changes: an absent field keeps its value, and must not get its default. */
function withoutDefaults<Shape extends z.ZodRawShape>(shape: Shape): WithoutDefaults<Shape> {
  const bare = Object.entries(shape).map(([key, schema]) => [key, schema instanceof z.ZodDefault ? schema.unwrap() : schema]);
  return Object.fromEntries(bare) as WithoutDefaults<Shape>;
}
