import type { JsonObject } from "./json.ts";

/** Whether a parsed value is an object, and not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
