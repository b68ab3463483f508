import { type MessageEntity, type TodoItem, todoItemSchema } from "@skein/contracts";
import { z } from "zod";
import { defineTool, type NativeTool } from "./tool.ts";

const inputSchema = z.strictObject({ items: z.array(todoItemSchema).max(200).describe("The whole list, in order") });

const marks: Record<TodoItem["status"], string> = { pending: "[ ]", "in-progress": "[~]", completed: "[x]", cancelled: "[-]" };

export function createTodoTool(history: readonly MessageEntity[]): NativeTool {
  let current = findLastItems(history);
  return defineTool({
    name: "todo",
    access: "free",
    description:
      "Keeps the list of steps that the user sees. Give the whole list each time. Use it for work of several steps, have one item " +
      "in-progress at a time, and tick an item off when it is done.",
    schema: inputSchema,
    async run({ items }) {
      const previous = current;
      current = items;
      const output = items.map((item) => `${marks[item.status]} ${item.text}`).join("\n");
      return { output: output === "" ? "(the list is empty)" : output, state: "completed", structured: { items, previous } };
    },
  });
}

/** The list of an earlier execution, so that a continued conversation shows what changed. */
function findLastItems(history: readonly MessageEntity[]): TodoItem[] {
  for (const { body } of history.toReversed()) {
    if (body.role !== "tool") continue;
    const result = body.content.findLast((part) => part.toolName === "todo" && part.isError !== true);
    const parsed = inputSchema.safeParse(result?.input);
    if (parsed.success) return parsed.data.items;
  }
  return [];
}
