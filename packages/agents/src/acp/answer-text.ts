import { objectField, stringField } from "@skein/engine/json-fields";
import { takeStart } from "@skein/engine/truncate";
import type { JsonObject } from "../lines/parse-line.ts";

const maxLength = 64 * 1024;

/** The agent's last text of a prompt: after its last tool. */
export interface AnswerText {
  begin(): void;
  see(update: JsonObject): void;
  read(): string;
}

export function createAnswerText(): AnswerText {
  let text = "";
  const begin = (): void => {
    text = "";
  };
  return {
    begin,
    see(update) {
      const kind = stringField(update, "sessionUpdate");
      if (kind === "tool_call") begin();
      else if (kind === "agent_message_chunk")
        text = takeStart(text + (stringField(objectField(update, "content"), "text") ?? ""), maxLength);
    },
    read: () => text.trim(),
  };
}
