import type { TodoItem } from "@skein/contracts";

export type TodoRow = TodoItem & { change: "none" | "added" | "changed" | "removed" };

/** The list as it is now, with what this call changed; items that it dropped come last. */
export function toTodoRows({ items, previous }: { items: readonly TodoItem[]; previous?: readonly TodoItem[] | undefined }): TodoRow[] {
  if (!previous) return items.map((item) => ({ ...item, change: "none" }));
  // By text, in order: an item that is twice in both lists is matched twice.
  const left = new Map<string, TodoItem[]>();
  for (const item of previous) {
    const same = left.get(item.text);
    if (same) same.push(item);
    else left.set(item.text, [item]);
  }
  const matched = new Set<TodoItem>();
  const rows: TodoRow[] = items.map((item) => {
    const known = left.get(item.text)?.shift();
    if (!known) return { ...item, change: "added" };
    matched.add(known);
    return { ...item, change: known.status === item.status ? "none" : "changed" };
  });
  return [...rows, ...previous.filter((item) => !matched.has(item)).map((item) => ({ ...item, change: "removed" as const }))];
}
