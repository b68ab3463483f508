import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hasInvisible, revealInvisible } from "./reveal-invisible.ts";

describe("revealInvisible", () => {
  it("[X6] makes bidi, zero-width, tag and control characters visible", () => {
    expect(revealInvisible("rm \u202e-rf\u200b /\u{e0041}\u001b")).toEqual([
      { text: "rm " },
      { hidden: "U+202E" },
      { text: "-rf" },
      { hidden: "U+200B" },
      { text: " /" },
      { hidden: "U+E0041" },
      { hidden: "U+001B" },
    ]);
  });

  it("leaves ordinary text alone, in any script", () => {
    const text = "git commit -m 'héllo'\n\tfix 中文 😀 שלום";
    expect(revealInvisible(text)).toEqual([{ text }]);
    expect(hasInvisible(text)).toBe(false);
  });

  it("loses nothing: the runs make the text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const again = revealInvisible(text).map(
          (run) => run.text ?? String.fromCodePoint(Number.parseInt((run.hidden ?? "").slice(2), 16)),
        );
        return again.join("") === text;
      }),
    );
  });
});
