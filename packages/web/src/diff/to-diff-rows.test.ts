import { describe, expect, it } from "vitest";
import { countChanges, toDiffRows } from "./to-diff-rows.ts";

describe("[T7] toDiffRows", () => {
  it("numbers the lines as the real file does", () => {
    const lines = [" a", "-b", "+c", " d", "\\ No newline at end of file"];
    const hunk = { oldStart: 10, oldLines: 3, newStart: 12, newLines: 3, lines };
    const rows = toDiffRows({ hunks: [hunk] });
    expect(rows).toEqual([
      { kind: "hunk", header: "@@ -10,3 +12,3 @@", hunk },
      { kind: "context", oldLine: 10, newLine: 12, text: "a" },
      { kind: "removed", oldLine: 11, text: "b" },
      { kind: "added", newLine: 13, text: "c" },
      { kind: "context", oldLine: 12, newLine: 14, text: "d" },
      { kind: "note", text: "No newline at end of file" },
    ]);
    expect(countChanges(rows)).toEqual({ additions: 1, deletions: 1 });
  });

  it("reads a unified patch where that is all that is known", () => {
    const patch = "--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1 @@\n--- dropped comment\n keep\n@@ -9 +8,2 @@\n same\n+new\n";
    expect(toDiffRows({ hunks: [], patch })).toEqual([
      { kind: "removed", oldLine: 1, text: "-- dropped comment" },
      { kind: "context", oldLine: 2, newLine: 1, text: "keep" },
      { kind: "hunk", header: "@@ -9,1 +8,2 @@", hunk: expect.objectContaining({ oldStart: 9, newStart: 8 }) },
      { kind: "context", oldLine: 9, newLine: 8, text: "same" },
      { kind: "added", newLine: 9, text: "new" },
    ]);
  });

  it("shows no line numbers for a snippet whose place in the file is unknown", () => {
    const hunk = { oldStart: 0, oldLines: 1, newStart: 0, newLines: 1, lines: ["-a", "+b"] };
    expect(toDiffRows({ hunks: [hunk, hunk] })).toEqual([
      { kind: "removed", oldLine: null, text: "a" },
      { kind: "added", newLine: null, text: "b" },
      { kind: "hunk", header: "@@", hunk },
      { kind: "removed", oldLine: null, text: "a" },
      { kind: "added", newLine: null, text: "b" },
    ]);
  });

  it("[G3] shows the header of the first line's hunk only where hunks have actions", () => {
    const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] };
    const kinds = (allHeaders: boolean) => toDiffRows({ hunks: [hunk] }, { allHeaders }).map(({ kind }) => kind);
    expect([kinds(false), kinds(true)]).toEqual([
      ["removed", "added"],
      ["hunk", "removed", "added"],
    ]);
  });

  it("reads a patch without line numbers", () => {
    expect(
      toDiffRows({ hunks: [], patch: "*** Begin Patch\n*** Update File: a\n@@\n one\n-two\n+three\n*** End Patch" }).map((row) => row.kind),
    ).toEqual(["context", "removed", "added"]);
  });

  it("shows a created file as added lines and a deleted one as removed lines", () => {
    expect(toDiffRows({ hunks: [], change: "created", newContent: "a\nb\n" })).toEqual([
      { kind: "added", newLine: 1, text: "a" },
      { kind: "added", newLine: 2, text: "b" },
    ]);
    expect(toDiffRows({ hunks: [], change: "deleted", oldContent: "a" })).toEqual([{ kind: "removed", oldLine: 1, text: "a" }]);
    expect(toDiffRows({ hunks: [] })).toEqual([]);
  });
});
