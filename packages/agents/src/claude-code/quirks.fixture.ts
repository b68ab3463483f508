import type { ConversationMessage, JsonValue } from "@skein/contracts";
import { asLog } from "./lines.fixture.ts";
import { replay } from "./replay.fixture.ts";

/** Replays lines that no recording has. */
export function play(...values: JsonValue[]) {
  return replay(asLog(...values));
}

/** The tool executions among messages. */
export function cards(shown: readonly ConversationMessage[]) {
  return shown.flatMap((message) => (message.messageType === "tool_execution" ? [message] : []));
}

/** The notices among messages. */
export function notices(shown: readonly ConversationMessage[]) {
  return shown.flatMap((message) => (message.messageType === "notice" ? [{ text: message.content, code: message.metadata?.code }] : []));
}
