import type { JsonValue, TodoItem } from "@skein/contracts";
import { stringField } from "./json-fields.ts";

const maxItems = 500;

const statuses: Readonly<Record<string, TodoItem["status"]>> = {
  pending: "pending",
  "in-progress": "in-progress",
  in_progress: "in-progress",
  completed: "completed",
  done: "completed",
  cancelled: "cancelled",
  deleted: "cancelled",
};

/** The todo items of any agent, in the field names of each. */
export function readTodoItems(items: readonly JsonValue[] | undefined): TodoItem[] | undefined {
  return items?.slice(0, maxItems).flatMap((item) => {
    const text = stringField(item, "text", "content", "subject", "step");
    if (text === undefined) return [];
    const status = stringField(item, "status") ?? "pending";
    return [{ text, status: (Object.hasOwn(statuses, status) ? statuses[status] : undefined) ?? "pending" }];
  });
}

/** The number of done items, for a summary. */
export function countDone(items: readonly TodoItem[]): { count: number; total: number } {
  return { count: items.filter((item) => item.status === "completed").length, total: items.length };
}
