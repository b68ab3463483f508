import { describe, expect, it } from "vitest";
import type { DiffRow } from "./to-diff-rows.ts";
import { toSplitRows } from "./to-split-rows.ts";

const removed = (oldLine: number): DiffRow => ({ kind: "removed", oldLine, text: `old ${oldLine}` });
const added = (newLine: number): DiffRow => ({ kind: "added", newLine, text: `new ${newLine}` });
const same = (line: number): DiffRow => ({ kind: "context", oldLine: line, newLine: line, text: "same" });
const shape = (rows: DiffRow[]) =>
  toSplitRows(rows).map((row) => (row.kind === "hunk" ? row.header : [row.left?.text ?? null, row.right?.text ?? null]));

describe("toSplitRows", () => {
  it("puts what was removed next to what replaced it, and leaves room where one side has more", () => {
    expect(shape([same(1), removed(2), removed(3), added(2), same(4), added(4)])).toEqual([
      ["same", "same"],
      ["old 2", "new 2"],
      ["old 3", null],
      ["same", "same"],
      [null, "new 4"],
    ]);
  });

  it("keeps changes and hunks apart", () => {
    expect(
      shape([
        added(1),
        removed(1),
        { kind: "hunk", header: "@@", hunk: { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] } },
        removed(9),
      ]),
    ).toEqual([[null, "new 1"], ["old 1", null], "@@", ["old 9", null]]);
  });
});
