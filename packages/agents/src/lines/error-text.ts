import type { JsonValue, MessageText } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";

const maxUnwraps = 3;

/** The error that an agent reported, or `otherwise` if it reported none. */
export function toErrorMessage(said: string | undefined, otherwise: MessageText): MessageText {
  return said === undefined ? otherwise : toErrorText(said);
}

/** APIs return JSON, which agents pass on as their error text: extracts the readable message. */
export function toErrorText(message: string): string {
  let text = message;
  for (let unwraps = 0; unwraps < maxUnwraps; unwraps++) {
    const inner = findMessage(text);
    if (inner === undefined) return text;
    text = inner;
  }
  return text;
}

function findMessage(text: string): string | undefined {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  // Only if the text is that JSON, with at most a short label around it: prose that quotes JSON is kept.
  if (start < 0 || end < start || start > 40 || text.length - end > 3) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
  return stringField(objectField(value, "error") ?? value, "message");
}
