import type { JsonValue } from "@skein/contracts";
import { arrayField, booleanField, objectField, stringField } from "./json-fields.ts";
import { summarize } from "./summaries.ts";
import { readTodoItems } from "./todo-items.ts";
import { hasSucceeded, type ToolProcessor } from "./tool-processor.ts";

/** A todo list that is kept by a tool, one task per call. */
export const taskListProcessor: ToolProcessor = {
  toolNames: ["TaskList"],
  present(observation) {
    const verbs = { running: "Reading", done: "Read", failed: "Could not read" };
    const tasks = hasSucceeded(observation) ? readTodoItems(arrayField(observation.structured, "tasks")) : undefined;
    if (tasks === undefined) return { summary: summarize(observation, verbs, "todo list") };
    const done = tasks.filter((task) => task.status === "completed").length;
    return { summary: `Read todo list (${done}/${tasks.length} done)`, details: { type: "todoList", data: { items: tasks } } };
  },
};

export const taskCreateProcessor: ToolProcessor = {
  toolNames: ["TaskCreate"],
  present(observation) {
    const verbs = { running: "Adding todo:", done: "Added todo:", failed: "Could not add todo:" };
    const subject = stringField(observation.input, "subject") ?? "task";
    const summary = summarize(observation, verbs, subject);
    const created = hasSucceeded(observation) ? objectField(observation.structured, "task") : undefined;
    const items = readTodoItems(created === undefined ? undefined : [created]);
    return items === undefined || items.length === 0 ? { summary } : { summary, details: { type: "todoList", data: { items } } };
  },
};

/** The tool names the task by its number only: its words are on the card that made it. */
export const taskUpdateProcessor: ToolProcessor = {
  toolNames: ["TaskUpdate"],
  present(observation) {
    const { input, structured } = observation;
    const verbs = { running: "Updating todo", done: "Updated todo", failed: "Could not update todo" };
    const failed = booleanField(structured, "success") === false ? { ...observation, isError: true } : observation;
    return { summary: summarize(failed, verbs, `#${stringField(input, "taskId") ?? "?"}${toChange(input, structured)}`) };
  },
};

function toChange(input: JsonValue, structured: JsonValue | undefined): string {
  const change = objectField(structured, "statusChange");
  const to = stringField(change, "to") ?? stringField(input, "status");
  if (to === undefined) return "";
  const from = stringField(change, "from");
  return `: ${from === undefined ? "" : `${toWords(from)} → `}${toWords(to)}`;
}

function toWords(status: string): string {
  return status.replaceAll("_", " ");
}
