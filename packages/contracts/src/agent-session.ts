import { z } from "zod";
import { timestampSchema } from "./json.ts";
import { sessionIdSchema } from "./session-id.ts";

/** A session that an agent keeps itself, with or without Skein. */
export const agentSessionSchema = z.object({
  id: sessionIdSchema,
  /** As the agent names it; null where it does not. */
  title: z.string().nullable(),
  /** Last activity; null where the agent does not report it. */
  updatedAt: timestampSchema.nullable(),
});
export type AgentSession = z.infer<typeof agentSessionSchema>;

/** Sessions of an agent in one folder, newest first. */
export const agentSessionListSchema = z.object({
  sessions: z.array(agentSessionSchema),
  /** There are more than were read. */
  truncated: z.boolean(),
});
export type AgentSessionList = z.infer<typeof agentSessionListSchema>;
