import type { JsonValue } from "@skein/contracts";
import { readFields } from "../conversation/reasoning.ts";
import { toWellFormedJson } from "../conversation/well-formed-json.ts";

export type ObjectSchema = { type: "object"; [key: string]: JsonValue };

// Anthropic and OpenAI refuse these at the top of a tool's schema, and allow them below it.
const refusedAtTop = new Set(["oneOf", "anyOf", "allOf", "not", "enum", "const", "$schema"]);

/** A tool's schema with an object at its top, which is what every provider asks for. An unusable one accepts anything. */
export function toObjectSchema(schema: JsonValue): ObjectSchema {
  const fields = readFields(toWellFormedJson(schema));
  const kept = Object.entries(fields).flatMap(([key, value]): [string, JsonValue][] =>
    value === undefined || refusedAtTop.has(key) ? [] : [[key, value]],
  );
  const { properties, ...rest } = Object.fromEntries(kept);
  return { ...rest, type: "object", properties: { ...readFields(properties) } as JsonValue };
}

/** For tools of which only their name is known. */
export const openSchema: ObjectSchema = { type: "object", properties: {}, additionalProperties: true };
