import type { ChangedFile, ReviewComment } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { createEditors } from "./editors.ts";
import { findOtherComments, placeComments } from "./place-comments.ts";
import { findViewedPaths, withViewed } from "./viewed.ts";

const file: ChangedFile = {
  filePath: "a.ts",
  hunks: [{ oldStart: 10, oldLines: 2, newStart: 10, newLines: 3, lines: [" same", "-old", "+new", "+more"] }],
  ...{ additions: 2, deletions: 1, binary: false, newId: "id-2" },
};

function comment(id: string, overrides: Partial<ReviewComment> = {}): ReviewComment {
  return {
    ...{ id: `cmt_${id}`, taskId: "tsk_1", attemptId: "att_1", path: "a.ts", side: "new", startLine: 11, endLine: 11, quote: "new" },
    ...{ body: "Why?", state: "draft", executionId: null, createdAt: 1, updatedAt: 1, isOutdated: false },
    ...overrides,
  } as ReviewComment;
}

describe("which comments belong to which row", () => {
  test("[G1] a comment is below the last of its lines, on its own side", () => {
    const range = comment("range", { startLine: 10, endLine: 12 });
    const old = comment("old", { side: "old" });
    const second = comment("second");
    const { byLine } = placeComments([comment("first"), range, old, second], file);
    expect(byLine).toEqual({ "new:11": [comment("first"), second], "new:12": [range], "old:11": [old] });
  });

  test("[G1] comments on the file, outdated ones and those on lines that the diff does not show are at its top", () => {
    const onFile = comment("file", { startLine: null, endLine: null });
    const outdated = comment("outdated", { isOutdated: true });
    const elsewhere = comment("elsewhere", { startLine: 500, endLine: 500 });
    const other = comment("other", { path: "b.ts" });
    expect(placeComments([onFile, outdated, elsewhere, other], file)).toEqual({
      byLine: {},
      onFile: [onFile],
      apart: [outdated, elsewhere],
    });
  });

  test("[G1] comments on the attempt and on files outside the diff are not lost", () => {
    const whole = comment("whole", { path: null });
    const gone = comment("gone", { path: "gone.ts" });
    expect(findOtherComments([comment("here"), whole, gone], new Set(["a.ts"]))).toEqual([whole, gone]);
  });
});

describe("viewed files", () => {
  test("[G1] a mark counts as long as the content is the same", () => {
    const deleted = { filePath: "gone.ts" };
    const marks = [
      { path: "a.ts", contentId: "id-2" },
      { path: "b.ts", contentId: "id-1" },
      { path: "gone.ts", contentId: "" },
    ];
    expect(findViewedPaths(marks, [file, { filePath: "b.ts", newId: "id-9" }, deleted, { filePath: "c.ts", newId: "x" }])).toEqual([
      "a.ts",
      "gone.ts",
    ]);
  });

  test("[G1] marking replaces an earlier mark of the file", () => {
    const review = { comments: [], viewed: [{ path: "a.ts", contentId: "id-1" }] };
    const marked = withViewed(review, { path: "a.ts", contentId: "id-2" }, true);
    expect(marked.viewed).toEqual([{ path: "a.ts", contentId: "id-2" }]);
    expect(withViewed(marked, { path: "a.ts", contentId: "id-2" }, false).viewed).toEqual([]);
  });
});

describe("editors of new comments", () => {
  const at = (line: number, startLine = line) => ({ path: "a.ts", side: "new", startLine, endLine: line }) as const;

  test("[G1] what was typed is there when a closed editor is opened again", () => {
    const editors = createEditors();
    editors.start(at(4));
    editors.setText(at(4), "Half a thou");
    editors.close(at(4));
    expect([editors.open.get(), editors.getText(at(4)), editors.getText(at(5))]).toEqual([[], "Half a thou", ""]);
  });

  test("[G1] a second line extends the range in both directions and keeps the text", () => {
    const editors = createEditors();
    editors.start(at(4));
    editors.setText(at(4), "Both");
    editors.extend("a.ts", { side: "new", line: 7 });
    expect([editors.open.get(), editors.getText(at(7)), editors.getText(at(4))]).toEqual([[at(7, 4)], "Both", ""]);
    editors.extend("a.ts", { side: "new", line: 2 });
    expect([editors.open.get(), editors.getText(at(7))]).toEqual([[at(7, 2)], "Both"]);
  });

  test("[G1] a line of the other side, or of another file, starts its own comment", () => {
    const editors = createEditors();
    editors.start(at(4));
    editors.extend("a.ts", { side: "old", line: 7 });
    editors.extend("b.ts", { side: "new", line: 1 });
    expect(editors.open.get()).toEqual([at(4), { ...at(7), side: "old" }, { ...at(1), path: "b.ts" }]);
  });
});
