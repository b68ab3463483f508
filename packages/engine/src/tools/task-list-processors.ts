import type { JsonValue, ToolAction } from "@skein/contracts";
import { arrayField, booleanField, objectField, stringField } from "./json-fields.ts";
import { countDone, readTodoItems } from "./todo-items.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

/** A todo list that a tool keeps, one task per call. */
export const taskListProcessor: ToolProcessor = {
  toolNames: ["TaskList"],
  present(observation) {
    const tasks = hasSucceeded(observation) ? readTodoItems(arrayField(observation.structured, "tasks")) : undefined;
    if (tasks === undefined) return { summary: { action: "read-todos" } };
    return { summary: { action: "read-todos", ...countDone(tasks) }, details: { type: "todoList", data: { items: tasks } } };
  },
};

/** Adds a task to a todo list. */
export const taskCreateProcessor: ToolProcessor = {
  toolNames: ["TaskCreate"],
  present(observation) {
    const summary = { action: "add-todo", subject: stringField(observation.input, "subject") } as const;
    const created = hasSucceeded(observation) ? objectField(observation.structured, "task") : undefined;
    const items = readTodoItems(created === undefined ? undefined : [created]);
    return items === undefined || items.length === 0 ? { summary } : { summary, details: { type: "todoList", data: { items } } };
  },
};

/** The tool identifies the task by number only: its text is on the card that created it. */
export const taskUpdateProcessor: ToolProcessor = {
  toolNames: ["TaskUpdate"],
  present({ input, structured, state }) {
    const id = stringField(input, "taskId");
    const isRefused = state === "completed" && booleanField(structured, "success") === false;
    return {
      summary: {
        action: toAction(input, structured),
        subject: id === undefined ? undefined : `#${id}`,
        ...(isRefused ? { state: "failed" } : {}),
      },
    };
  },
};

const actions: Readonly<Record<string, ToolAction>> = {
  pending: "reopen-todo",
  in_progress: "start-todo",
  completed: "complete-todo",
  cancelled: "cancel-todo",
  deleted: "delete-todo",
};

function toAction(input: JsonValue, structured: JsonValue | undefined): ToolAction {
  const status = stringField(objectField(structured, "statusChange"), "to") ?? stringField(input, "status") ?? "";
  return (Object.hasOwn(actions, status) ? actions[status] : undefined) ?? "update-todo";
}
