import type { JsonObject, JsonValue } from "@skein/contracts";
import { isJsonObject } from "@skein/contracts/is-json-object";
import { isWellFormedJson, toWellFormedJson } from "./well-formed-json.ts";

const maximumDepth = 200;

/**
 * Providers accept only an object. Anything else that the model wrote (broken JSON, a list, a bare word) is wrapped in one verbatim, so
 * that the model sees its mistake.
 */
export function toArgumentsObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parse(text);
  if (value === undefined) return { invalid_arguments: text.toWellFormed() };
  const repaired = toWellFormedJson(value);
  return isJsonObject(repaired) ? repaired : { value: repaired };
}

/** The JSON text of the arguments: the model's own bytes if they can be sent. */
export function toArgumentsText(text: string): string {
  const value = parse(text);
  return isJsonObject(value) && text.isWellFormed() && isWellFormedJson(value) ? text : JSON.stringify(toArgumentsObject(text));
}

/** Whether a text is a JSON object that does not nest too deeply. */
export function isObjectText(text: string): boolean {
  return isJsonObject(parse(text));
}

function parse(text: string): JsonValue | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

// Brackets inside strings count, too: a false positive only means that the value is sent as text. Without this check, a value that
// JSON.parse can read would overflow the stack when the SDK serializes it.
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x7b || unit === 0x5b) depth++;
    else if (unit === 0x7d || unit === 0x5d) depth--;
    if (depth > maximumDepth) return true;
  }
  return false;
}
