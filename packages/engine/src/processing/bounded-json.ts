import type { JsonValue } from "@skein/contracts";

const maxDepth = 500;

/**
 * JSON that can be written again. JSON.parse reads any depth but JSON.stringify overflows the stack at some ten
 * thousand levels: one such tool input would make its execution unsavable.
 */
export function toWritableJson(value: JsonValue): JsonValue {
  return isDeeperThan(value, maxDepth) ? "[nested too deeply to be shown]" : value;
}

function isDeeperThan(value: JsonValue, limit: number): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next: JsonValue[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item)) if (typeof child === "object" && child !== null) next.push(child);
    }
    level = next;
  }
  return false;
}
