import type { JsonObject, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";

export type { JsonObject } from "@skein/contracts";

/** The content of one line of stdout: a JSON object, nothing, or something that no decoder reads. */
export type ParsedLine = { type: "object"; value: JsonObject } | { type: "blank" } | { type: "unreadable"; reason: string };

const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Never throws. Accepts a byte order mark and white space around the object, including a carriage return. */
export function parseLine(text: string): ParsedLine {
  // trim() also removes U+FEFF
  const isBare = text.charCodeAt(0) === openingBrace && text.charCodeAt(text.length - 1) === closingBrace;
  const trimmed = isBare ? text : text.trim();
  if (trimmed === "") return { type: "blank" };
  let value: JsonValue;
  try {
    value = JSON.parse(trimmed);
  } catch {
    return { type: "unreadable", reason: "This line is not JSON." };
  }
  return isJsonObject(value) ? { type: "object", value } : { type: "unreadable", reason: "This line is JSON, but not an object." };
}
