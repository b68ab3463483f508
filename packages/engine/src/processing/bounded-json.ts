import type { JsonValue } from "@skein/contracts";

const maxDepth = 500;

/**
 * JSON that can be serialized again. JSON.parse reads any depth but JSON.stringify overflows the stack at some ten thousand levels: such
 * a tool input would prevent its execution from being saved.
 */
export function toWritableJson(value: JsonValue): JsonValue {
  return isDeeperThan(value, maxDepth) ? "[nested too deeply to be shown]" : value;
}

/** Stops at the limit, so that its own recursion is bounded, too. */
function isDeeperThan(value: JsonValue, limit: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (limit < 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, limit - 1));
  for (const key in value) if (isDeeperThan(value[key] ?? null, limit - 1)) return true;
  return false;
}
