import type { JsonValue } from "@skein/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toApprovalChange } from "./approval-change.ts";

const shown = (input: JsonValue) =>
  toApprovalChange({ input })
    ?.files.flatMap((file) => file.edits)
    .map((edit) => edit.map(({ kind, text }) => `${{ added: "+", removed: "-", same: " ", "no-newline": "\\" }[kind]}${text}`));

describe("the preview of a tool's change", () => {
  it("an edit is what is replaced by what", () => {
    expect(shown({ file_path: "a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" })).toEqual([
      [" one", "-two", "+2", " three"],
    ]);
    expect(shown({ path: "a.ts", content: "x\ny" })).toEqual([["+x", "+y", "\\"]]);
    expect(shown({ path: "a.ts", content: "x\ny\n" }), "no line after the last").toEqual([["+x", "+y"]]);
    expect(shown({ path: "a.ts", content: "x\n\n" })).toEqual([["+x", "+"]]);
    expect(
      shown({
        path: "a.ts",
        edits: [
          { oldText: "a", newText: "b" },
          { oldText: "c", newText: "" },
        ],
      }),
    ).toEqual([["-a", "+b"], ["-c"]]);
  });

  it("[E10] several files: new, deleted, moved, changed by hunks or by both texts; and one of which only the name is known", () => {
    const changes = [
      { path: "/w/new.txt", kind: "add", diff: "one\ntwo\n" },
      { path: "/w/old.txt", kind: "delete", diff: "gone" },
      {
        path: "/w/a.ts",
        kind: "update",
        movePath: "/w/b.ts",
        diff: "@@ -1,2 +1,2 @@ function a()\n x\n-y\n+z\n@@ -9 +9 @@\n-p\n+q\n\\ No newline at end of file\n",
      },
      { path: "/w/c.ts", kind: "update", oldText: "a\nb", newText: "a\nc" },
      { path: "/w/d.ts" },
    ];
    const change = toApprovalChange({ input: { changes, grantRoot: "/w" } });
    expect(change?.fields).toEqual(["changes"]);
    expect(change?.files.map(({ path, kind, movedTo, isUnknown }) => [path, kind, movedTo, isUnknown])).toEqual([
      ["/w/new.txt", "added", null, false],
      ["/w/old.txt", "deleted", null, false],
      ["/w/a.ts", "changed", "/w/b.ts", false],
      ["/w/c.ts", "changed", null, false],
      ["/w/d.ts", "changed", null, true],
    ]);
    expect(shown({ changes })).toEqual([
      ["+one", "+two"],
      ["-gone", "\\"],
      [" x", "-y", "+z"],
      ["-p", "+q", " \\ No newline at end of file"],
      [" a", "-b", "+c"],
    ]);
    const patch = "Index: /w/a\n====\n--- /w/a\n+++ /w/a\n@@ -0,0 +1,1 @@\n+hello\n";
    expect(shown({ filepath: "/w/a", diff: patch })).toEqual([["+hello"]]);
    // what is not a patch is shown unchanged
    expect(shown({ changes: [{ path: "a", kind: "update", diff: "rm everything" }] })).toEqual([[" rm everything"]]);
    expect(toApprovalChange({ input: { filepath: "a", diff: "hidden\n@@ -1 +1 @@\n+x" } })).toBeNull();
  });

  it("[E10] a file that ends with a line break has no empty line after it; one that gains or loses it shows that", () => {
    expect(shown({ path: "a.ts", content: "x\ny\n" })).toEqual([["+x", "+y"]]);
    expect(shown({ path: "a.ts", content: "x\n\n" })).toEqual([["+x", "+"]]);
    expect(shown({ path: "a.ts", content: "" })).toEqual([[]]);
    const toChanges = (oldText: string, newText: string) => ({ changes: [{ path: "a.ts", oldText, newText }] });
    expect(shown(toChanges("x\ny\n", "x\nz\n"))).toEqual([[" x", "-y", "+z"]]);
    expect(shown(toChanges("x", "x\n"))).toEqual([[" x", "+"]]);
  });

  it("[E10] a whole file is a new one where the server found none", () => {
    const input = { path: "a.ts", content: "x" };
    const kinds = [undefined, true, false].map((overwrites) =>
      toApprovalChange({ input, ...(overwrites === undefined ? {} : { overwrites }) }),
    );
    expect(kinds.map((change) => change?.files[0]?.kind)).toEqual(["changed", "changed", "added"]);
  });

  it.each([
    [{ changes: [] }],
    [{ changes: [{ path: "a", kind: "add", diff: "x", hidden: "rm" }] }],
    [{ changes: [{ kind: "add", diff: "x" }] }],
    [{ command: "ls" }],
    [{ path: "a.ts" }],
    ["text"],
    [null],
    [{ path: "a.ts", edits: [{ oldText: "a", newText: "b", hidden: "rm" }] }],
    [{ path: "a.ts", edits: ["x"] }],
    [{ path: "a.ts", edits: [] }],
  ])("%j is shown field by field", (input) => expect(toApprovalChange({ input })).toBeNull());

  it("[X6] nothing is left out: both texts can be read off what is shown", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = toApprovalChange({ input: { path: "p", old_string: before, new_string: after } })?.files[0]?.edits[0] ?? [];
        const read = (kind: string) =>
          lines
            .filter((line) => line.kind === kind || line.kind === "same")
            .map(({ text }) => text)
            .join("\n");
        expect([read("removed"), read("added")]).toEqual([before, after]);
      }),
    );
  });

  it("[X6] nor is anything of a whole file, the line break at its end included", () => {
    const texts = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 6 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, (content) => {
        const lines = toApprovalChange({ input: { path: "p", content } })?.files[0]?.edits[0] ?? [];
        const read = lines.map(({ kind, text }, index) => {
          if (kind === "no-newline") return "";
          return lines[index + 1]?.kind === "no-newline" ? text : `${text}\n`;
        });
        expect(read.join("")).toBe(content);
      }),
    );
  });
});
