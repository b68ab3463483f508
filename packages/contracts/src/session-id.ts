import { z } from "zod";

const pattern = /^[A-Za-z0-9][A-Za-z0-9._:@/+=~-]{0,499}$/;

/**
 * An agent's own id of its session. It comes from the agent's output and is passed to its next start, so it never begins like an option
 * and contains no white space, quotes or control characters.
 */
export const sessionIdSchema = z.string().regex(pattern, "expected letters, digits and . _ : @ / + = ~ -, not starting with -");

/** Whether an agent's session can be resumed by this id. */
export function isSessionId(id: string): boolean {
  return pattern.test(id);
}
