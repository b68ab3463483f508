import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toApprovalChange } from "./approval-change.ts";

const shown = (input: Parameters<typeof toApprovalChange>[0]) =>
  toApprovalChange(input)?.edits.map((edit) => edit.map(({ kind, text }) => `${{ added: "+", removed: "-", same: " " }[kind]}${text}`));

describe("what a tool would change", () => {
  it("an edit is what is replaced by what", () => {
    expect(shown({ file_path: "a.ts", old_string: "one\ntwo\nthree", new_string: "one\n2\nthree" })).toEqual([
      [" one", "-two", "+2", " three"],
    ]);
    expect(shown({ path: "a.ts", content: "x\ny" })).toEqual([["+x", "+y"]]);
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

  it.each([
    [{ command: "ls" }],
    [{ path: "a.ts" }],
    ["text"],
    [null],
    [{ path: "a.ts", edits: [{ oldText: "a", newText: "b", hidden: "rm" }] }],
    [{ path: "a.ts", edits: ["x"] }],
    [{ path: "a.ts", edits: [] }],
  ])("%j is shown field by field", (input) => expect(toApprovalChange(input)).toBeNull());

  it("[X6] nothing is left out: both texts can be read off what is shown", () => {
    const texts = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = toApprovalChange({ path: "p", old_string: before, new_string: after })?.edits[0] ?? [];
        const read = (kind: string) =>
          lines
            .filter((line) => line.kind === kind || line.kind === "same")
            .map(({ text }) => text)
            .join("\n");
        expect([read("removed"), read("added")]).toEqual([before, after]);
      }),
    );
  });
});
