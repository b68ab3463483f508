import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepEnd, keepStart, takeEnd, takeStart, toOneLine, truncateCodePoints } from "./truncate.ts";

const sample = "a😀b👩‍👩‍👧‍👦c🇨🇭é漢";

describe("truncating text", () => {
  it("[Q17] no cut offset splits a surrogate pair", () => {
    for (let cut = 0; cut <= sample.length + 1; cut++) {
      for (const piece of [
        takeStart(sample, cut),
        takeEnd(sample, cut),
        truncateCodePoints(sample, cut),
        keepEnd(sample, cut),
        keepStart(sample, cut),
      ]) {
        expect(piece.isWellFormed(), `cut at ${cut}: ${JSON.stringify(piece)}`).toBe(true);
      }
    }
  });

  it("[Q17] a cut text is a start or an end of the text, and loses at most half a pair more than asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.nat(45), (text, length) => {
        const start = takeStart(text, length);
        const end = takeEnd(text, length);
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        const whole = Math.min(length, text.length);
        expect(start.length).toBeGreaterThanOrEqual(whole - 1);
        expect(start.length).toBeLessThanOrEqual(whole);
        expect(end.length).toBeGreaterThanOrEqual(whole - 1);
        expect(end.length).toBeLessThanOrEqual(whole);
        expect([...truncateCodePoints(text, length)].length).toBeLessThanOrEqual(Math.max(length, 0));
      }),
    );
  });

  it("a short text stays the same, a long one ends with an ellipsis", () => {
    expect(truncateCodePoints("😀😀😀", 3)).toBe("😀😀😀");
    expect(truncateCodePoints("😀😀😀😀", 3)).toBe("😀😀…");
    expect(toOneLine(" a\n\tb  c ")).toBe("a b c");
  });

  it("cutting again does not add markers", () => {
    let text = "";
    for (let i = 0; i < 50; i++) text = keepEnd(`${text}line ${i}\n`, 30);
    expect(text.match(/left out/g)).toHaveLength(1);
    expect(text.endsWith("line 49\n")).toBe(true);
    expect(text.length).toBeLessThan(70);
  });
});
