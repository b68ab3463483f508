import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchWords, nextIndex, toRuns } from "./palette-item.ts";

describe("toRuns", () => {
  it("splits a text at its marks", () => {
    expect(toRuns({ text: "a lamp is lit", ranges: [[2, 6]] })).toEqual([
      { text: "a ", marked: false },
      { text: "lamp", marked: true },
      { text: " is lit", marked: false },
    ]);
  });
  it("any ranges at all give the whole text back", () => {
    const ranges = fc.array(fc.tuple(fc.nat(20), fc.nat(20)).map(([from, length]) => [from, from + length] as const));
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), ranges, (text, given) => {
        const sorted = given.toSorted(([a], [b]) => a - b);
        expect(
          toRuns({ text, ranges: sorted })
            .map((run) => run.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});

describe("matchWords", () => {
  it("finds every word in any order, and marks it", () => {
    expect(matchWords("Go to the board", "board go")).toEqual({
      text: "Go to the board",
      ranges: [
        [0, 2],
        [10, 15],
      ],
    });
    expect(matchWords("Go to the board", "boat")).toBeNull();
    expect(matchWords("切换语言", "语言")?.ranges).toEqual([[2, 4]]);
    expect(matchWords("İ board", "board")).toEqual({ text: "İ board", ranges: [] });
  });
});

describe("nextIndex", () => {
  it("goes round, and nowhere in an empty list", () => {
    expect([nextIndex(3, 2, "ArrowDown"), nextIndex(3, 0, "ArrowUp"), nextIndex(3, 1, "End"), nextIndex(0, 0, "ArrowDown")]).toEqual([
      0, 2, 2, -1,
    ]);
  });
});
