import type { JsonValue } from "@skein/contracts";

/** JSON.stringify keeps complete surrogate pairs and escapes lone surrogates. */
export function isWellFormedJson(value: JsonValue): boolean {
  return !/\\ud[89a-f]/i.test(JSON.stringify(value));
}

/** Replaces lone surrogates in every key and value. Two keys that become one keep the last value, as JSON.parse does. */
export function toWellFormedJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || isWellFormedJson(value)) return value;
  if (Array.isArray(value)) return value.map(toWellFormedJson);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key.toWellFormed(), toWellFormedJson(child)]));
}
