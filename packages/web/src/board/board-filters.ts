import type { Task, TaskPriority, TaskStatus } from "@skein/contracts";

export const priorityOrder = ["urgent", "high", "medium", "low", "none"] as const satisfies readonly TaskPriority[];
export const statusOrder = ["todo", "in-progress", "in-review", "done", "cancelled"] as const satisfies readonly TaskStatus[];

/** What is in the address of the board: a filtered board can be bookmarked, and the back button takes a filter off. */
export interface BoardFilters {
  q?: string;
  tag?: string[];
  priority?: TaskPriority[];
  agent?: string[];
  status?: TaskStatus[];
  archived?: true;
}

export type FilterKind = "tag" | "priority" | "agent" | "status";

/** An address may contain anything: what is not a filter is ignored. */
export function parseBoardFilters(search: Record<string, unknown>): BoardFilters {
  const tag = texts(search.tag);
  const agent = texts(search.agent);
  const priority = priorityOrder.filter((known) => texts(search.priority).includes(known));
  const status = statusOrder.filter((known) => texts(search.status).includes(known));
  return {
    ...(typeof search.q === "string" && search.q !== "" ? { q: search.q } : {}),
    ...(tag.length > 0 ? { tag } : {}),
    ...(priority.length > 0 ? { priority } : {}),
    ...(agent.length > 0 ? { agent } : {}),
    ...(status.length > 0 ? { status } : {}),
    ...(search.archived === true || search.archived === "true" ? { archived: true } : {}),
  };
}

function texts(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value];
  return [...new Set(values.filter((entry): entry is string => typeof entry === "string" && entry !== ""))];
}

/** Values of one kind are alternatives; all kinds must match. A task without an attempt has no agent. */
export function matchesFilters(task: Task, agent: string | null, filters: BoardFilters): boolean {
  if (task.archived && !filters.archived) return false;
  if (filters.priority && !filters.priority.includes(task.priority)) return false;
  if (filters.status && !filters.status.includes(task.status)) return false;
  if (filters.tag && !filters.tag.some((tag) => task.tags.includes(tag))) return false;
  if (filters.agent && (agent === null || !filters.agent.includes(agent))) return false;
  return matchesWords(task, filters.q ?? "");
}

function matchesWords(task: Task, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const haystack = `${task.title} ${task.tags.join(" ")} ${task.description}`.toLowerCase();
  return words.every((word) => haystack.includes(word));
}

/** Toggles the value. */
export function toggleFilter(filters: BoardFilters, kind: FilterKind, value: string): BoardFilters {
  const before: readonly string[] = filters[kind] ?? [];
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value];
  return parseBoardFilters({ ...filters, [kind]: after });
}

export function countFilters(filters: BoardFilters): number {
  const lists = [filters.tag, filters.priority, filters.agent, filters.status];
  return lists.reduce((sum, values) => sum + (values?.length ?? 0), filters.archived ? 1 : 0);
}

/** Tags in use, the most used first. */
export function listTags(tasks: readonly Task[]): string[] {
  const counts = new Map<string, number>();
  for (const tag of tasks.flatMap((task) => task.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([tag]) => tag);
}
