import { z } from "zod";
import { agentIdSchema, modelIdSchema, permissionModeSchema } from "./agent.ts";
import { attemptIdSchema, taskIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";
import { agentModeIdSchema, sessionOptionsSchema } from "./session-options.ts";
import { systemPromptSchema } from "./system-prompt.ts";

export const isolationSchema = z.enum(["worktree", "in-place"]);
export type Isolation = z.infer<typeof isolationSchema>;

export const attemptSchema = z.object({
  id: attemptIdSchema,
  taskId: taskIdSchema,
  /** 1 for the first attempt of its task. */
  number: z.int().positive(),
  agent: agentIdSchema,
  model: modelIdSchema.nullable(),
  permissionMode: permissionModeSchema,
  /** Which of the modes that its session offers the agent works in; without one, that which fits the permission mode. */
  agentMode: agentModeIdSchema.nullable().optional(),
  /** Follows those of the settings and of the project. */
  systemPrompt: systemPromptSchema,
  isolation: isolationSchema,
  /** Where the agent works: its own worktree, or the project's folder. */
  directory: z.string(),
  /** The branch of the worktree; null in place. */
  branch: z.string().nullable(),
  baseBranch: z.string().nullable(),
  /** What the attempt's diff is taken against. */
  baseCommit: z.string().nullable(),
  /** The agent's own session, once it has confirmed it. */
  sessionId: z.string().nullable(),
  /** An existing session of the agent that the user chose to continue in this attempt. */
  resumedSession: z.string().exactOptional(),
  /** What that session offers to choose from, where the agent reports it. */
  sessionOptions: sessionOptionsSchema.optional(),
  /** The attempt that it goes on from, with that one's history and files as they were when this one was made. */
  continuedFrom: attemptIdSchema.nullable(),
  active: z.boolean(),
  createdAt: timestampSchema,
  updatedAt: timestampSchema,
});
export type Attempt = z.infer<typeof attemptSchema>;
