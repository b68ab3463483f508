import type { JsonValue } from "@skein/contracts";

/** A longer one would be slow to parse while a card opens; as text it is bounded anyway. */
const maxLength = 200_000;

/** An object or a list that a tool answered with; undefined for anything else. */
export function parseJsonOutput(text: string): JsonValue | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength || !/^[[{]/.test(trimmed) || !/[\]}]$/.test(trimmed)) return undefined;
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return undefined;
  }
}
