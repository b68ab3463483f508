import type { JsonValue } from "@skein/contracts";
import { readFields, toWellFormedJson } from "@skein/engine/formats";

export type ObjectSchema = { type: "object"; [key: string]: JsonValue };

// Anthropic and OpenAI reject these keywords at the top level of a tool's schema, but allow them below it.
const refusedAtTop = new Set(["oneOf", "anyOf", "allOf", "not", "enum", "const", "$schema"]);

/**
 * Returns a tool's schema with an object at the top level, which every provider requires. An unusable schema becomes one that accepts
 * anything.
 */
export function toObjectSchema(schema: JsonValue): ObjectSchema {
  const fields = readFields(toWellFormedJson(schema));
  const kept = Object.entries(fields).flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined || refusedAtTop.has(key) ? [] : [[key, value]],
  );
  const { properties, ...rest } = Object.fromEntries(kept);
  return { ...rest, type: "object", properties: { ...readFields(properties) } as JsonValue };
}

/** For tools of which only the name is known. */
export const openSchema: ObjectSchema = { type: "object", properties: {}, additionalProperties: true };
