import type { TodoItem } from "@skein/contracts";

export type TodoRow = TodoItem & { change: "none" | "added" | "changed" | "removed" };

/** The list as it is now, with what this call changed; items that it dropped come last. */
export function toTodoRows({ items, previous }: { items: readonly TodoItem[]; previous?: readonly TodoItem[] | undefined }): TodoRow[] {
  if (!previous) return items.map((item) => ({ ...item, change: "none" }));
  const left = [...previous];
  const rows: TodoRow[] = items.map((item) => {
    const index = left.findIndex((known) => known.text === item.text);
    if (index === -1) return { ...item, change: "added" };
    const [known] = left.splice(index, 1);
    return { ...item, change: known?.status === item.status ? "none" : "changed" };
  });
  return [...rows, ...left.map((item) => ({ ...item, change: "removed" as const }))];
}
