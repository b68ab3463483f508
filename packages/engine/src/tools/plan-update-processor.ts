import type { JsonValue } from "@skein/contracts";
import { arrayField, asObject, stringField } from "./json-fields.ts";
import { todoProcessor } from "./todo-processor.ts";
import type { ToolProcessor } from "./tool-processor.ts";

/** Todo lists under the names of Codex, Gemini CLI and opencode. */
export const planUpdateProcessor: ToolProcessor = {
  toolNames: ["update_plan", "write_todos", "todowrite", "todoread"],
  present(observation) {
    return todoProcessor.present({ ...observation, input: { items: readItems(observation.input) } });
  },
};

function readItems(input: JsonValue): JsonValue[] {
  return (arrayField(input, "items", "todos", "plan") ?? []).map((item) => {
    // Gemini CLI's name for the text of an item is description.
    const text = stringField(item, "text", "content", "step", "description");
    return text === undefined ? item : { ...asObject(item), text };
  });
}
