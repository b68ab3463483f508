import type { JsonValue } from "@skein/contracts";
import { readFields } from "@skein/engine/formats";
import { toObjectSchema } from "../schemas/to-object-schema.ts";

type Schema = { [key: string]: JsonValue };

/** Keywords that Gemini supports and whose value is not a schema. */
const plainKeywords = new Set([
  "$ref",
  "type",
  "title",
  "description",
  "required",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "propertyOrdering",
  "nullable",
]);
const schemaKeywords = new Set(["items", "additionalProperties"]);
const schemaLists = new Set(["anyOf", "oneOf", "prefixItems"]);
const schemaMaps = new Set(["properties", "$defs"]);
const formats = new Set(["date-time", "enum", "int32", "int64", "float", "double"]);

/** Gemini rejects a declaration with an unknown keyword. Such keywords are removed, which only makes the schema wider. */
export function toGeminiSchema(schema: JsonValue): Schema & { properties: Schema } {
  const { type, properties, ...rest } = toObjectSchema(schema);
  return { ...toSchema(rest), type, properties: mapValues(properties) };
}

function toSchema(schema: JsonValue | undefined): Schema {
  return Object.fromEntries(
    Object.entries(readFields(schema)).flatMap(([key, value]) => (value === undefined ? [] : toKeyword(key, value))),
  );
}

function toKeyword(key: string, value: JsonValue): [string, JsonValue][] {
  if (plainKeywords.has(key)) return [[key, value]];
  if (schemaKeywords.has(key)) return typeof value === "boolean" ? (key === "items" ? [] : [[key, value]]) : [[key, toSchema(value)]];
  if (schemaLists.has(key) && Array.isArray(value)) return [[key, value.map(toSchema)]];
  if (schemaMaps.has(key)) return [[key, mapValues(value)]];
  if (key === "allOf" && Array.isArray(value) && value.length === 1) return Object.entries(toSchema(value[0]));
  if (key === "definitions") return [["$defs", mapValues(value)]];
  if (key === "format" && typeof value === "string" && formats.has(value)) return [[key, value]];
  if (key === "const" && typeof value === "string") return [["enum", [value]]];
  if (key === "enum" && Array.isArray(value)) {
    const texts = value.filter((one) => typeof one === "string");
    return texts.length === value.length && texts.length > 0 ? [[key, texts]] : [];
  }
  return [];
}

function mapValues(value: JsonValue | undefined): Schema {
  return Object.fromEntries(Object.entries(readFields(value)).map(([name, child]) => [name, toSchema(child)]));
}
