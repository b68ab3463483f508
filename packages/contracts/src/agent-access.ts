import { z } from "zod";
import { apiTokenIdSchema, attemptIdSchema, executionIdSchema } from "./ids.ts";
import { timestampSchema } from "./json.ts";

/** What an agent may start with a token of Skein; null: no limit. */
export const agentLimitsSchema = z.object({
  /** 1: an agent may start others, but those may not. 0: nothing. */
  depth: z.int().min(0).max(20).nullable(),
  /** Executions, of all agents below one message of a user, or below one token. */
  starts: z.int().min(0).max(100_000).nullable(),
  /** The reported cost of those executions, after which nothing more is started. */
  costUsd: z.number().min(0).max(1_000_000).nullable(),
});
/** What a token without limits has. */
export const noAgentLimits = { depth: null, starts: null, costUsd: null } as const;
export type AgentLimits = z.infer<typeof agentLimitsSchema>;

/** Something that an agent started: an execution, or a message that waits in a queue. */
export const agentStartSchema = z.object({
  /** An execution, or a queued message. */
  subject: z.string(),
  attemptId: attemptIdSchema,
  tokenId: apiTokenIdSchema,
  /** The execution whose agent started it, and its attempt; null for an agent outside of Skein. */
  parentExecution: executionIdSchema.nullable(),
  parentAttempt: attemptIdSchema.nullable(),
  /** The execution that a user started, or the token of an agent outside of Skein. Limits count everything below it. */
  root: z.string(),
  /** 1: started by the root itself. */
  depth: z.int().positive(),
  createdAt: timestampSchema,
});
export type AgentStart = z.infer<typeof agentStartSchema>;
