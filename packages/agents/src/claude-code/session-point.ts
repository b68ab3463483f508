import type { SessionPoint } from "@skein/engine";
import { stringField } from "@skein/engine/json-fields";
import { parseLine } from "../lines/parse-line.ts";

/** It becomes a command line argument. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** An answer of Claude Code's main conversation: the only kind of message that a session can be resumed at. */
export function findSessionPoint(text: string): SessionPoint | undefined {
  if (!text.includes('"assistant"')) return undefined;
  const line = parseLine(text);
  if (line.type !== "object" || stringField(line.value, "type") !== "assistant") return undefined;
  const { value } = line;
  if (typeof value.parent_tool_use_id === "string" || value.is_api_error_message === true || value.isApiErrorMessage === true)
    return undefined;
  const sessionId = stringField(value, "session_id");
  const messageId = stringField(value, "uuid");
  return sessionId === undefined || messageId === undefined || !uuid.test(messageId) ? undefined : { sessionId, messageId };
}
