import type { Task } from "@skein/contracts";
import type { KnownTask } from "../api/task-activity.ts";
import { type AskedAt, listActiveTasks } from "./active-tasks.ts";
import { priorityOrder, statusOrder } from "./board-filters.ts";

export const sortKeys = ["title", "status", "priority", "updated", "created"] as const;
export type SortKey = (typeof sortKeys)[number];
export interface Sort {
  by: SortKey;
  descending: boolean;
}

export const defaultSort: Sort = { by: "updated", descending: true };

/** Like `updated-desc`; anything else is the default. */
export function parseSort(text: string | null): Sort {
  const [by, direction] = (text ?? "").split("-");
  const key = sortKeys.find((known) => known === by);
  return key && (direction === "asc" || direction === "desc") ? { by: key, descending: direction === "desc" } : defaultSort;
}

export const formatSort = ({ by, descending }: Sort): string => `${by}-${descending ? "desc" : "asc"}`;

/** The same column again reverses the order; a new one starts with its most useful order. */
export function nextSort(sort: Sort, by: SortKey): Sort {
  return sort.by === by ? { by, descending: !sort.descending } : { by, descending: by === "updated" || by === "created" };
}

/** What waits or runs comes first, sorted like the rest. */
export function sortTasks(
  tasks: readonly KnownTask[],
  { by, descending }: Sort,
  { locale, asked = new Map() }: { locale: string; asked?: AskedAt },
): Task[] {
  const active = new Set(listActiveTasks(tasks, asked).map(({ id }) => id));
  const collator = new Intl.Collator(locale, { numeric: true });
  const compare: Record<SortKey, (a: Task, b: Task) => number> = {
    title: (a, b) => collator.compare(a.title, b.title),
    status: (a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status),
    priority: (a, b) => priorityOrder.indexOf(a.priority) - priorityOrder.indexOf(b.priority),
    updated: (a, b) => a.updatedAt - b.updatedAt,
    created: (a, b) => a.createdAt - b.createdAt,
  };
  const sign = descending ? -1 : 1;
  const rankOf = ({ id }: Task) => (active.has(id) ? 0 : 1);
  return tasks.toSorted((a, b) => rankOf(a) - rankOf(b) || sign * compare[by](a, b) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
}
