import type { JsonValue, MessageText } from "@skein/contracts";
import { objectField, stringField } from "@skein/engine";

const maxUnwraps = 3;

/** What an agent gave as its error, or `otherwise` where it gave none. */
export function toErrorMessage(said: string | undefined, otherwise: MessageText): MessageText {
  return said === undefined ? otherwise : toErrorText(said);
}

/** APIs answer with JSON, and agents pass it on as the text of their error: the sentence inside is readable. */
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
  // Only where the text is that JSON, with at most a short label around it: prose that quotes JSON stays whole.
  if (start < 0 || end < start || start > 40 || text.length - end > 3) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return undefined;
  }
  return stringField(objectField(value, "error") ?? value, "message");
}
