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
  const [issue] = parsed.error.issues;
  throw new UnreadableError({ source, field: issue?.path.join(".") ?? "", reason: issue?.message ?? "" });
}
