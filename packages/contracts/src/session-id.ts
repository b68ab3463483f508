import { z } from "zod";

const pattern = /^[A-Za-z0-9][A-Za-z0-9._:@/+=~-]{0,499}$/;

/**
 * An agent's own name of its session. It comes from the agent's output and is passed to its next start, so it never begins
 * like an option and holds no white space, quotes or control characters.
 */
export const sessionIdSchema = z.string().regex(pattern, "expected letters, digits and . _ : @ / + = ~ -, not starting with -");

/** Whether an agent's session can be resumed under this name. */
export function isSessionId(id: string): boolean {
  return pattern.test(id);
}
