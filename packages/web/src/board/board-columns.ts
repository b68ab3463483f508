import type { Task, TaskId, TaskStatus, UpdateTask } from "@skein/contracts";
import { byPosition } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { type AskedAt, listActiveTasks } from "./active-tasks.ts";
import { statusOrder } from "./board-filters.ts";

export interface BoardColumn {
  status: TaskStatus;
  /** What waits or runs first, then the rest in the user's order. */
  tasks: Task[];
  /** Those that wait or run. */
  active: ReadonlySet<TaskId>;
}

/** A column whose order is kept: what waited or ran in it when the pointer came. */
export interface HeldColumn {
  status: TaskStatus;
  active: readonly TaskId[];
}

export interface BoardColumnsOptions {
  wanted?: readonly TaskStatus[] | undefined;
  asked?: AskedAt;
  /** A column in which nothing moves to the top or away from it for now. */
  held?: HeldColumn | null;
}

/** Every status has its column, in order; an empty `cancelled` is left out, and so are those that are not `wanted`. */
export function toBoardColumns(
  tasks: readonly KnownTask[],
  { wanted = statusOrder, asked = new Map(), held = null }: BoardColumnsOptions = {},
): BoardColumn[] {
  return statusOrder
    .filter((status) => wanted.includes(status))
    .map((status) => {
      const inColumn = tasks.filter((task) => task.status === status);
      const first =
        held?.status === status
          ? held.active.flatMap((id) => inColumn.find((task) => task.id === id) ?? [])
          : listActiveTasks(inColumn, asked);
      const active = new Set(first.map(({ id }) => id));
      return { status, active, tasks: [...first, ...inColumn.filter(({ id }) => !active.has(id)).sort(byPosition)] };
    })
    .filter(({ status, tasks: inColumn }) => status !== "cancelled" || inColumn.length > 0 || wanted.length === 1);
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
export function moveCard(columns: readonly BoardColumn[], taskId: string, direction: Direction): CardPlace | null {
  const at = findCard(columns, taskId);
  const column = at && columns[at.column];
  if (!at || !column) return null;
  if (direction === "left" || direction === "right") {
    const status = statusOrder[statusOrder.indexOf(column.status) + (direction === "left" ? -1 : 1)];
    return status ? { status, index: Math.min(at.row, tasksOf(columns, status).length) } : null;
  }
  const index = at.row + (direction === "up" ? -1 : 1);
  const isFixed = column.active.has(column.tasks[at.row]?.id ?? ("" as TaskId));
  return isFixed || index < column.active.size || index >= column.tasks.length ? null : { status: column.status, index };
}

/** A place among the other cards of a column. */
export interface CardPlace {
  status: TaskStatus;
  index: number;
}

/** Where cards that are dropped at the place are shown: what waits or runs stays above the rest. */
export function limitPlace(columns: readonly BoardColumn[], cards: readonly Pick<Task, "id">[], { status, index }: CardPlace): CardPlace {
  const isActive = ({ id }: Pick<Task, "id">) => columns.some(({ active }) => active.has(id));
  const above = tasksOf(columns, status).filter((task) => isActive(task) && !cards.some(({ id }) => id === task.id)).length;
  return { status, index: cards.every(isActive) ? Math.min(index, above) : Math.max(index, above) };
}

/** What puts the cards, in order, at the place: a change for each, or for the whole column when no number is left in between. */
export function placeCards(
  columns: readonly BoardColumn[],
  cards: readonly Task[],
  place: CardPlace,
): { task: Task; changes: UpdateTask }[] {
  const { status } = place;
  const moving = new Set<TaskId>(cards.map(({ id }) => id));
  const column = columns.find((known) => known.status === status);
  // their place is not theirs to choose while they wait or run
  if (cards.every(({ id }) => column?.active.has(id))) return [];
  const shown = tasksOf(columns, status).filter(({ id }) => !moving.has(id));
  const next = shown.slice(place.index).find(({ id }) => !column?.active.has(id));
  const others = shown.toSorted(byPosition);
  const index = next === undefined ? others.length : others.indexOf(next);
  const before = others[index - 1]?.position;
  const after = others[index]?.position;
  const start = before ?? (after === undefined ? 0 : after - cards.length - 1);
  const step = after === undefined ? 1 : (after - start) / (cards.length + 1);
  const positions = cards.map((_, at) => start + step * (at + 1));
  const distinct = [before, ...positions, after].filter((position) => position !== undefined);
  if (distinct.every((position, at) => at === 0 || position > (distinct[at - 1] ?? position)))
    return cards.map((task, at) => ({ task, changes: { status, position: positions[at] ?? 0 } }));
  const whole = others.toSpliced(index, 0, ...cards);
  return whole.map((task, at) => ({ task, changes: moving.has(task.id) ? { status, position: at + 1 } : { position: at + 1 } }));
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
