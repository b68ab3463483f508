import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markLine } from "./mark-line.ts";

describe("markLine", () => {
  it("cuts pieces where the mark begins and ends, and keeps their colours", () => {
    const line = [
      ["const ", 2],
      ["value", 4],
      [" = 3;", 0],
    ] as const;
    expect(markLine(line, { from: 8, to: 13 })).toEqual([
      { text: "const ", kind: 2, isMarked: false },
      { text: "va", kind: 4, isMarked: false },
      { text: "lue", kind: 4, isMarked: true },
      { text: " =", kind: 0, isMarked: true },
      { text: " 3;", kind: 0, isMarked: false },
    ]);
    expect(markLine(line, { from: 3, to: 3 }).some(({ isMarked }) => isMarked)).toBe(false);
  });

  it("marks exactly the given part, whatever the pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, maxLength: 4 })), fc.nat(12), fc.nat(12), (texts, from, length) => {
        const whole = texts.join("");
        const to = Math.min(whole.length, from + length);
        const pieces = markLine(
          texts.map((text) => [text, 0] as const),
          { from, to },
        );
        expect(pieces.map(({ text }) => text).join("")).toBe(whole);
        expect(pieces.flatMap(({ text, isMarked }) => (isMarked ? [text] : [])).join("")).toBe(from < to ? whole.slice(from, to) : "");
      }),
    );
  });
});
