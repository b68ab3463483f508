import type { TaskStatus } from "@skein/contracts";
import type { CardPlace } from "./board-columns.ts";

export interface Point {
  x: number;
  y: number;
}

/** The column under the pointer, or the nearest one, and how many of its other cards lie above. */
export function findCardPlace(board: HTMLElement, { x, y }: Point, except: string): CardPlace | null {
  let nearest: { column: HTMLElement; distance: number } | null = null;
  for (const column of board.querySelectorAll<HTMLElement>("[data-column]")) {
    const { left, right } = column.getBoundingClientRect();
    const distance = Math.max(left - x, x - right, 0);
    if (!nearest || distance < nearest.distance) nearest = { column, distance };
  }
  const status = nearest?.column.dataset.column as TaskStatus | undefined;
  if (!nearest || !status) return null;
  const cards = [...nearest.column.querySelectorAll<HTMLElement>("[data-task-id]")].filter((card) => card.dataset.taskId !== except);
  const above = cards.filter((card) => {
    const box = card.getBoundingClientRect();
    return box.top + box.height / 2 < y;
  });
  return { status, index: above.length };
}

const edge = 48;
const speed = 14;

/** A card held near an edge brings what lies beyond it into view. */
export function scrollNearEdges(board: HTMLElement, { x, y }: Point): void {
  const box = board.getBoundingClientRect();
  board.scrollLeft += pull(x, box.left, box.right);
  for (const list of board.querySelectorAll<HTMLElement>("[data-column-scroll]")) {
    const { left, right, top, bottom } = list.getBoundingClientRect();
    if (x >= left && x <= right) list.scrollTop += pull(y, top, bottom);
  }
}

function pull(at: number, start: number, end: number): number {
  if (at < start + edge) return -speed * Math.min(1, (start + edge - at) / edge);
  return at > end - edge ? speed * Math.min(1, (at - end + edge) / edge) : 0;
}
