import type { z } from "zod";
import { UnreadableError } from "./api-error.ts";

/**
 * Reads what the server sent. Fields that the schema does not name are dropped. Throws `UnreadableError`, which names the first
 * field that does not fit.
 *
 * @param source where it came from, as in `GET /api/projects`
 */
export function parseReceived<Schema extends z.ZodType>(schema: Schema, value: unknown, source: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = findCause(parsed.error.issues[0]);
  throw new UnreadableError({ source, field: path.join("."), reason: message });
}

/** Of a union, the last alternative: it allows the most. */
function findCause(issue: z.core.$ZodIssue | undefined): { path: PropertyKey[]; message: string } {
  if (issue === undefined) return { path: [], message: "" };
  const inner = issue.code === "invalid_union" ? issue.errors.at(-1)?.[0] : undefined;
  if (inner === undefined) return issue;
  const { path, message } = findCause(inner);
  return { path: [...issue.path, ...path], message };
}
