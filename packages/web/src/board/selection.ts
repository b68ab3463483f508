import type { TaskId } from "@skein/contracts";

/** `anchor` is where a range starts: the task that was toggled last. */
export interface Selection {
  ids: ReadonlySet<TaskId>;
  anchor: TaskId | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

export function toggleSelected({ ids }: Selection, id: TaskId): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: next.size === 0 ? null : id };
}

/** From the anchor to `id` in the order on the screen, added to what is selected; without an anchor that is on the screen, only `id`. */
export function selectRange(selection: Selection, order: readonly TaskId[], id: TaskId): Selection {
  const to = order.indexOf(id);
  const from = selection.anchor === null ? -1 : order.indexOf(selection.anchor);
  if (to === -1) return selection;
  const range = from === -1 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...selection.ids, ...range]), anchor: selection.anchor ?? id };
}

/** Drops tasks that are no longer on the screen, so that nothing is changed unseen. */
export function keepShown(selection: Selection, order: readonly TaskId[]): Selection {
  const shown = new Set(order);
  const ids = [...selection.ids].filter((id) => shown.has(id));
  if (ids.length === selection.ids.size) return selection;
  return { ids: new Set(ids), anchor: selection.anchor !== null && shown.has(selection.anchor) ? selection.anchor : null };
}
