import type { Task, TaskStatus } from "@skein/contracts";
import { byPosition } from "../api/queries.ts";

export const columnOrder = ["todo", "in-progress", "in-review", "done", "cancelled"] as const satisfies readonly TaskStatus[];

export interface BoardColumn {
  status: TaskStatus;
  tasks: Task[];
}

/** Every status has its column, in order; an empty `cancelled` is left out. */
export function toBoardColumns(tasks: readonly Task[]): BoardColumn[] {
  return columnOrder
    .map((status) => ({ status, tasks: tasks.filter((task) => task.status === status).sort(byPosition) }))
    .filter(({ status, tasks: inColumn }) => status !== "cancelled" || inColumn.length > 0);
}

export type Direction = "up" | "down" | "left" | "right";

/** The card that an arrow key moves to: at the same height in the next column that has cards. Null at an edge. */
export function nextCard(columns: readonly BoardColumn[], taskId: string, direction: Direction): Task | null {
  const at = findCard(columns, taskId);
  if (!at) return columns.find(({ tasks }) => tasks.length > 0)?.tasks[0] ?? null;
  if (direction === "up" || direction === "down") return columns[at.column]?.tasks[at.row + (direction === "up" ? -1 : 1)] ?? null;
  const step = direction === "left" ? -1 : 1;
  for (let column = at.column + step; column >= 0 && column < columns.length; column += step) {
    const tasks = columns[column]?.tasks ?? [];
    const found = tasks[Math.min(at.row, tasks.length - 1)];
    if (found) return found;
  }
  return null;
}

/** Where shift+arrow puts a card: into the next column, or one place up or down. Null where it cannot go. */
export function moveCard(
  columns: readonly BoardColumn[],
  taskId: string,
  direction: Direction,
): { status: TaskStatus; position: number } | null {
  const at = findCard(columns, taskId);
  if (!at) return null;
  const column = columns[at.column];
  if (!column) return null;
  if (direction === "left" || direction === "right") {
    const status = columnOrder[columnOrder.indexOf(column.status) + (direction === "left" ? -1 : 1)];
    return status ? { status, position: positionAt(tasksOf(columns, status), at.row) } : null;
  }
  const row = at.row + (direction === "up" ? -1 : 1);
  if (row < 0 || row >= column.tasks.length) return null;
  const others = column.tasks.filter((task) => task.id !== taskId);
  return { status: column.status, position: positionAt(others, row) };
}

/** A position that puts a card at `index` among the others of its column. */
export function positionAt(tasks: readonly Task[], index: number): number {
  const before = tasks[index - 1]?.position;
  const after = tasks[index]?.position;
  if (before === undefined && after === undefined) return tasks.length === 0 ? 1 : (tasks.at(-1)?.position ?? 0) + 1;
  if (before === undefined) return (after ?? 0) - 1;
  return after === undefined ? before + 1 : (before + after) / 2;
}

export function tasksOf(columns: readonly BoardColumn[], status: TaskStatus): Task[] {
  return columns.find((column) => column.status === status)?.tasks ?? [];
}

function findCard(columns: readonly BoardColumn[], taskId: string): { column: number; row: number } | null {
  for (const [column, { tasks }] of columns.entries()) {
    const row = tasks.findIndex((task) => task.id === taskId);
    if (row !== -1) return { column, row };
  }
  return null;
}
