import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toExcerpt } from "./excerpt.ts";

const marked = (text: string, terms: string[]) => {
  const excerpt = toExcerpt(text, terms);
  return excerpt.ranges.map(([from, to]) => excerpt.text.slice(from, to));
};

describe("toExcerpt", () => {
  it("shows what is around the first term on one line", () => {
    const text = `${"before ".repeat(20)}\n\tNeedle ${"after ".repeat(50)}`;
    const excerpt = toExcerpt(text, ["missing", "needle"]);
    expect(excerpt.text).toMatch(/^….*before Needle after .*…$/);
    expect(excerpt.text.length).toBeLessThan(210);
  });

  it("marks every term where it stands, whatever its case and accents", () => {
    expect(marked("Déjà vu, deja VU", ["deja", "vu"])).toEqual(["Déjà", "vu", "deja", "VU"]);
    expect(marked("İİ end", ["end"])).toEqual(["end"]);
    expect(marked("请修复灯塔的灯光问题", ["灯塔", "灯"])).toEqual(["灯塔", "灯"]);
    expect(marked("aaa abab", ["ab", "bab"])).toEqual(["abab"]);
    expect(marked("nothing", ["x", ""])).toEqual([]);
  });

  it("marks are in the excerpt, in order and apart, and never split a character", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 400 });
    fc.assert(
      fc.property(texts, fc.array(fc.string({ unit: "grapheme", maxLength: 3 }), { maxLength: 4 }), (text, terms) => {
        const excerpt = toExcerpt(text, terms);
        let last = -1;
        for (const [from, to] of excerpt.ranges) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(excerpt.text.length);
          expect(excerpt.text.slice(from, to).isWellFormed()).toBe(excerpt.text.isWellFormed());
          last = to;
        }
      }),
    );
  });

  it("[Q17] never splits a surrogate pair, wherever the cut falls", () => {
    for (let length = 0; length < 300; length++) {
      const text = `${"x".repeat(length % 3)}${"🧵".repeat(length)}needle${"🧵".repeat(300)}`;
      expect(toExcerpt(text, ["needle"]).text.isWellFormed(), String(length)).toBe(true);
    }
  });

  it("survives a text whose lower case is longer than itself", () => {
    expect(toExcerpt(`${"İ".repeat(500)}end`, ["end"]).text).toContain("end");
  });
});
