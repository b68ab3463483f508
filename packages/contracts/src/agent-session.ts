import { z } from "zod";
import { timestampSchema } from "./json.ts";
import { sessionIdSchema } from "./session-id.ts";

/** A session in an agent's own storage, created with or without Skein. */
export const agentSessionSchema = z.object({
  id: sessionIdSchema,
  /** The agent's title for it; null if it has none. */
  title: z.string().nullable(),
  /** Last activity; null if the agent does not report it. */
  updatedAt: timestampSchema.nullable(),
});
export type AgentSession = z.infer<typeof agentSessionSchema>;

/** Sessions of an agent in one folder, newest first. */
export const agentSessionListSchema = z.object({
  sessions: z.array(agentSessionSchema),
  /** There are more than listed. */
  truncated: z.boolean(),
});
export type AgentSessionList = z.infer<typeof agentSessionListSchema>;
