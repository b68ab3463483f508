import { z } from "zod";
import { apiTokenIdSchema, attemptIdSchema, executionIdSchema, userIdSchema } from "./ids.ts";

/**
 * Who did something, with the name at that time: a user, or a program with an API token on a server without users. Absent for what the only user,
 * the administrator of the machine or Skein itself did.
 */
export const actorSchema = z.object({
  id: z.union([userIdSchema, apiTokenIdSchema]),
  name: z.string(),
  /** The API token that was used. */
  tokenId: apiTokenIdSchema.exactOptional(),
  /** The agent of an execution did it, with the token of that execution. */
  agent: z.object({ executionId: executionIdSchema, attemptId: attemptIdSchema }).exactOptional(),
});
export type Actor = z.infer<typeof actorSchema>;
