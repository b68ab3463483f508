import { z } from "zod";
import { actorSchema } from "./actor.ts";
import { agentIdSchema, modelIdSchema, permissionModeSchema } from "./agent.ts";
import { checkRunSchema } from "./check-run.ts";
import { attemptIdSchema, executionIdSchema, hostIdSchema, nodeIdSchema, raceIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { sandboxSchema } from "./sandbox.ts";
import { agentModeIdSchema, sessionOptionsSchema } from "./session-options.ts";
import { systemPromptSchema } from "./system-prompt.ts";

/** `worktree`: its own git worktree. `in-place`: the project's folder. */
export const isolationSchema = z.enum(["worktree", "in-place"]);
export type Isolation = z.infer<typeof isolationSchema>;

/** A point in an attempt: before an execution and its message, or after it. */
export const forkPointSchema = z.object({ executionId: executionIdSchema, at: z.enum(["start", "end"]) });
export type ForkPoint = z.infer<typeof forkPointSchema>;

/** One try at a task, with one agent, one agent session and one folder. */
export const attemptSchema = z.object({
  id: attemptIdSchema,
  taskId: taskIdSchema,
  /** 1 for the first attempt of its task. */
  number: z.int().positive(),
  agent: agentIdSchema,
  model: modelIdSchema.nullable(),
  permissionMode: permissionModeSchema,
  /** One of the modes of its session; null: the one that fits the permission mode. */
  agentMode: agentModeIdSchema.nullable().optional(),
  /** Appended to those of the settings and of the project. */
  systemPrompt: systemPromptSchema,
  isolation: isolationSchema,
  /** Whether its agent may use Skein; absent: as its project says. */
  agentAccess: z.boolean().exactOptional(),
  /** How its agent is confined; absent: not at all. */
  sandbox: sandboxSchema.exactOptional(),
  /** The worker that has its folder and runs its agent; absent or null: the server's own machine. */
  hostId: hostIdSchema.nullable().exactOptional(),
  /** Where the agent works: its own worktree, or the project's folder. */
  directory: z.string(),
  /** The branch of the worktree; null in place. */
  branch: z.string().nullable(),
  baseBranch: z.string().nullable(),
  /** The base commit of the attempt's diff. */
  baseCommit: z.string().nullable(),
  /** The agent's own session, once it has confirmed it. */
  sessionId: z.string().nullable(),
  /** An existing session of the agent that the user chose to continue. */
  resumedSession: z.string().exactOptional(),
  /** The choices of that session, if the agent reports them. */
  sessionOptions: sessionOptionsSchema.optional(),
  /** The attempt that this one continues, with its history and files at the time of creation. */
  continuedFrom: attemptIdSchema.nullable(),
  /** Where in `continuedFrom` this attempt was forked: it has the history and files of that point. */
  forkedFrom: forkPointSchema.exactOptional(),
  /** The server on whose machine it is, if several servers share the database. */
  nodeId: nodeIdSchema.exactOptional(),
  active: z.boolean(),
  /** Attempts that were created together, with one message, to be compared. */
  raceId: raceIdSchema.exactOptional(),
  /** Hidden from lists until it is restored. Nothing of it is removed. */
  archived: z.boolean().exactOptional(),
  /** The last run of the project's check script in its folder. */
  check: checkRunSchema.exactOptional(),
  /** Who created it. */
  by: actorSchema.exactOptional(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Attempt = z.infer<typeof attemptSchema>;
