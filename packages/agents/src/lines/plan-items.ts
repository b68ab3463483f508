import type { JsonValue, TodoItem } from "@skein/contracts";
import { booleanField, stringField } from "@skein/engine";
import { toSnakeCase } from "./snake-case.ts";

/** The steps of a plan, in the field names of any agent. */
export function toPlanItems(entries: readonly JsonValue[]): TodoItem[] {
  return entries.flatMap((entry) => {
    const text = stringField(entry, "text", "step", "content");
    return text === undefined ? [] : [{ text, status: toTodoStatus(entry) }];
  });
}

function toTodoStatus(entry: JsonValue): TodoItem["status"] {
  if (booleanField(entry, "completed") === true) return "completed";
  const status = toSnakeCase(stringField(entry, "status") ?? "");
  if (status === "completed" || status === "cancelled") return status;
  return status === "in_progress" ? "in-progress" : "pending";
}
