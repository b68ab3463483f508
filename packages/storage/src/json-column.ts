import type { z } from "zod";

/** A row does not match its schema: another program wrote it, or it is damaged. The message names it. */
export class UnreadableRowError extends Error {
  override readonly name = "UnreadableRowError";
}

export function parseRow<Schema extends z.ZodType>(schema: Schema, value: unknown, row: string): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UnreadableRowError(`The stored ${row} cannot be read by this version of Skein: ${parsed.error.message}`, {
    cause: parsed.error,
  });
}

export function parseJsonColumn(text: string, row: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UnreadableRowError(`The stored ${row} holds broken JSON.`, { cause });
  }
}
