import type { Task } from "@skein/contracts";
import type { Dictionary } from "../i18n/en.ts";
import type { BoardColumn, CardPlace } from "./board-columns.ts";

/** The cards that move with one: a selected card takes the other selected ones with it, in the order of the board. */
export function listMoved(columns: readonly BoardColumn[], taskId: string, selected: ReadonlySet<string>): Task[] {
  const all = columns.flatMap(({ tasks }) => tasks);
  return all.filter(({ id }) => (selected.has(taskId) ? selected.has(id) : id === taskId));
}

/** A move to another column has a toast, which can undo it; a move within a column is only announced. */
export function toMoveMessage(cards: readonly Task[], to: CardPlace, text: Pick<Dictionary, "board" | "status">) {
  const name = cards.length === 1 ? (cards[0]?.title ?? "") : text.board.count(cards.length);
  return cards.some(({ status }) => status !== to.status)
    ? { announcement: "", toast: text.board.moved(name, text.status[to.status]) }
    : { announcement: text.board.reordered(name, to.index + 1), toast: undefined };
}
