import type { JsonObject, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";

/*
 * Readers for JSON of unknown shape: return the first of the names that has the wanted type. They run many times for every line of an
 * agent. Inherited properties are never found: a prototype has only functions, which are not JSON, and `__proto__`.
 */

/** The value if it is an object (and not an array), otherwise undefined. */
export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function find<T extends JsonValue>(
  value: JsonValue | undefined,
  names: readonly string[],
  is: (field: JsonValue) => field is T,
): T | undefined {
  const object = asObject(value);
  if (object === undefined) return undefined;
  for (const name of names) {
    const field = object[name];
    if (field !== undefined && is(field) && (name !== "__proto__" || Object.hasOwn(object, name))) return field;
  }
  return undefined;
}

/** The field if it is a string. */
export function stringField(value: JsonValue | undefined, ...names: string[]): string | undefined {
  const object = asObject(value);
  if (object === undefined) return undefined;
  for (const name of names) {
    const field = object[name];
    if (typeof field === "string") return field;
  }
  return undefined;
}

/** The field if it is a number. */
export function numberField(value: JsonValue | undefined, ...names: string[]): number | undefined {
  return find(value, names, (field) => typeof field === "number");
}

/** A count or a line number: an integer of at least `min`. */
export function countField(value: JsonValue | undefined, min: number, ...names: string[]): number | undefined {
  const object = asObject(value);
  if (object === undefined) return undefined;
  for (const name of names) {
    const field = object[name];
    if (typeof field === "number" && Number.isSafeInteger(field) && field >= min) return field;
  }
  return undefined;
}

/** The field if it is a boolean. */
export function booleanField(value: JsonValue | undefined, ...names: string[]): boolean | undefined {
  return find(value, names, (field) => typeof field === "boolean");
}

/** The field if it is an array. */
export function arrayField(value: JsonValue | undefined, ...names: string[]): JsonValue[] | undefined {
  return find(value, names, (field) => Array.isArray(field));
}

/** The field if it is an object. */
export function objectField(value: JsonValue | undefined, ...names: string[]): JsonObject | undefined {
  return find(value, names, (field): field is JsonObject => asObject(field) !== undefined);
}

/** The strings of an array field; other items are skipped. */
export function stringsField(value: JsonValue | undefined, ...names: string[]): string[] | undefined {
  return arrayField(value, ...names)?.filter((item) => typeof item === "string");
}
