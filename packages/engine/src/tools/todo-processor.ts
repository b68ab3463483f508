import type { JsonValue, TodoItem } from "@skein/contracts";
import { arrayField, stringField } from "./json-fields.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

const statuses: Readonly<Record<string, TodoItem["status"]>> = {
  pending: "pending",
  "in-progress": "in-progress",
  in_progress: "in-progress",
  completed: "completed",
  done: "completed",
  cancelled: "cancelled",
};

export const todoProcessor: ToolProcessor = {
  toolNames: ["todo", "TodoWrite"],
  present(observation) {
    const { input, structured, state, isError } = observation;
    if (isError || state === "failed") return { summary: "Could not update todo list" };
    const items = readItems(structured, "items", "newTodos") ?? readItems(input, "items", "todos") ?? [];
    const done = items.filter((item) => item.status === "completed").length;
    const count = `(${done}/${items.length} done)`;
    if (!hasSucceeded(observation)) return { summary: `Updating todo list ${count}` };
    const previous = readItems(structured, "previous", "oldTodos");
    return {
      summary: `Updated todo list ${count}`,
      details: { type: "todoList", data: { items, ...(previous === undefined ? {} : { previous }) } },
    };
  },
};

function readItems(value: JsonValue | undefined, ...names: string[]): TodoItem[] | undefined {
  return arrayField(value, ...names)?.flatMap((item) => {
    const text = stringField(item, "text", "content");
    if (text === undefined) return [];
    const status = stringField(item, "status") ?? "pending";
    return [{ text, status: (Object.hasOwn(statuses, status) ? statuses[status] : undefined) ?? "pending" }];
  });
}
