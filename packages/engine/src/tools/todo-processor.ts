import type { TodoItem } from "@skein/contracts";
import { arrayField } from "./json-fields.ts";
import { countDone, readTodoItems } from "./todo-items.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

/** Replaces a todo list. */
export const todoProcessor: ToolProcessor = {
  toolNames: ["todo", "TodoWrite"],
  present(observation) {
    const { input, structured, toolName } = observation;
    const items =
      readTodoItems(arrayField(structured, "items", "newTodos")) ??
      readTodoItems(arrayField(input, "items", "todos")) ??
      ([] as TodoItem[]);
    const summary = { action: toolName === "todoread" ? "read-todos" : "update-todos", ...countDone(items) } as const;
    if (!hasSucceeded(observation)) return { summary };
    const previous = readTodoItems(arrayField(structured, "previous", "oldTodos"));
    return { summary, details: { type: "todoList", data: { items, ...(previous === undefined ? {} : { previous }) } } };
  },
};
