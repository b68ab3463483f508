import { objectField, stringField } from "@skein/engine";
import { toErrorText } from "../lines/error-text.ts";
import type { JsonObject } from "../lines/parse-line.ts";

/** An error of opencode in the words for a person; `code` is its name. */
export function toOpencodeError(error: JsonObject | undefined): { text: string; code?: string } {
  const text = stringField(objectField(error, "data"), "message") ?? stringField(error, "message", "name");
  const code = stringField(error, "name");
  return { text: toErrorText(text ?? "opencode reported an error."), ...(code === undefined ? {} : { code }) };
}
