import type { DiffRow } from "./to-diff-rows.ts";
import type { SplitRow } from "./to-split-rows.ts";

export type DiffSide = "old" | "new";

/** A line of a file, before or after the change. */
export interface LinePlace {
  side: DiffSide;
  line: number;
}

/** As in `new:12`. */
export type LineKey = `${DiffSide}:${number}`;

export const toLineKey = ({ side, line }: LinePlace): LineKey => `${side}:${line}`;

/** The lines that a row shows: none, one, or both sides of a line that did not change. */
export function keysOfRow(row: DiffRow): LineKey[] {
  const keys: LineKey[] = [];
  if ("oldLine" in row && row.oldLine !== null) keys.push(`old:${row.oldLine}`);
  if ("newLine" in row && row.newLine !== null) keys.push(`new:${row.newLine}`);
  return keys;
}

export function keysOfSplitRow(row: SplitRow): LineKey[] {
  if (row.kind === "hunk") return [];
  const left = row.left ? keysOfRow(row.left).filter((key) => key.startsWith("old")) : [];
  const right = row.right ? keysOfRow(row.right).filter((key) => key.startsWith("new")) : [];
  return [...left, ...right];
}

/** Rows are drawn in parts of this many: what changes below a line draws only its part again. */
export const rowsPerPart = 100;

/**
 * The lines of each part that have something below them, joined by spaces: a part whose text stays the same is not drawn again.
 *
 * @param rowKeys the lines of each row
 */
export function toPartKeys(rowKeys: readonly (readonly LineKey[])[], keys: ReadonlySet<LineKey>): string[] {
  const parts: string[] = [];
  for (let from = 0; from < rowKeys.length; from += rowsPerPart) {
    const part = keys.size === 0 ? [] : rowKeys.slice(from, from + rowsPerPart).flatMap((row) => row.filter((key) => keys.has(key)));
    parts.push(part.join(" "));
  }
  return parts;
}
