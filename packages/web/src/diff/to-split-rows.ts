import { type ChangedPart, findChangedParts } from "./changed-part.ts";
import type { DiffRow } from "./to-diff-rows.ts";

type Side = Extract<DiffRow, { text: string }>;

/** A row of the view with both sides: what was removed is next to what replaced it. */
export type SplitRow = Extract<DiffRow, { kind: "hunk" }> | { kind: "pair"; left: Side | null; right: Side | null };

export function toSplitRows(rows: readonly DiffRow[]): SplitRow[] {
  const split: SplitRow[] = [];
  let removed: Side[] = [];
  let added: Side[] = [];
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      split.push({ kind: "pair", left: removed[i] ?? null, right: added[i] ?? null });
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.kind === "removed") {
      // A removal after additions begins another change.
      if (added.length > 0) flush();
      removed.push(row);
    } else if (row.kind === "added") added.push(row);
    else {
      flush();
      if (row.kind === "hunk") split.push(row);
      else split.push({ kind: "pair", left: row, right: row });
    }
  }
  flush();
  return split;
}

/** Within lines that took each other's place: what differs. */
export function toChangedParts(rows: readonly DiffRow[]): Map<DiffRow, ChangedPart> {
  const parts = new Map<DiffRow, ChangedPart>();
  for (const row of toSplitRows(rows)) {
    if (row.kind !== "pair" || row.left?.kind !== "removed" || row.right?.kind !== "added") continue;
    const found = findChangedParts(row.left.text, row.right.text);
    if (found) parts.set(row.left, found.before).set(row.right, found.after);
  }
  return parts;
}
