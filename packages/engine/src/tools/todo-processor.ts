import type { TodoItem } from "@skein/contracts";
import { arrayField } from "./json-fields.ts";
import { readTodoItems } from "./todo-items.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

export const todoProcessor: ToolProcessor = {
  toolNames: ["todo", "TodoWrite"],
  present(observation) {
    const { input, structured, state, isError } = observation;
    if (isError || state === "failed") return { summary: "Could not update todo list" };
    const items =
      readTodoItems(arrayField(structured, "items", "newTodos")) ??
      readTodoItems(arrayField(input, "items", "todos")) ??
      ([] as TodoItem[]);
    const done = items.filter((item) => item.status === "completed").length;
    const count = `(${done}/${items.length} done)`;
    if (!hasSucceeded(observation)) return { summary: `Updating todo list ${count}` };
    const previous = readTodoItems(arrayField(structured, "previous", "oldTodos"));
    return {
      summary: `Updated todo list ${count}`,
      details: { type: "todoList", data: { items, ...(previous === undefined ? {} : { previous }) } },
    };
  },
};
