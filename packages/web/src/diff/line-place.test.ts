import { expect, test } from "vitest";
import { keysOfRow, keysOfSplitRow, type LineKey, rowsPerPart, toPartKeys } from "./line-place.ts";

test("[G1] a row has the lines of the sides that it shows", () => {
  const removed = { kind: "removed", oldLine: 3, text: "" } as const;
  const added = { kind: "added", newLine: 4, text: "" } as const;
  const context = { kind: "context", oldLine: 5, newLine: 6, text: "" } as const;
  expect([keysOfRow(removed), keysOfRow(added), keysOfRow(context)]).toEqual([["old:3"], ["new:4"], ["old:5", "new:6"]]);
  expect(keysOfRow({ kind: "hunk", header: "@@", hunk: { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] } })).toEqual([]);
  expect(keysOfRow({ kind: "added", newLine: null, text: "" })).toEqual([]);
  expect(keysOfSplitRow({ kind: "pair", left: removed, right: added })).toEqual(["old:3", "new:4"]);
  expect(keysOfSplitRow({ kind: "pair", left: context, right: context })).toEqual(["old:5", "new:6"]);
  expect(keysOfSplitRow({ kind: "pair", left: removed, right: null })).toEqual(["old:3"]);
});

test("[G1] a comment changes the keys of its own part only", () => {
  const rows: LineKey[][] = Array.from({ length: rowsPerPart * 3 }, (_, index) => [`old:${index + 1}`, `new:${index + 1}`]);
  expect(toPartKeys(rows, new Set())).toEqual(["", "", ""]);
  const keys = new Set<LineKey>(["new:150", "old:150", "new:101", "new:9999"]);
  expect(toPartKeys(rows, keys)).toEqual(["", "new:101 old:150 new:150", ""]);
});
