import { describe, expect, it } from "vitest";
import { toExcerpt } from "./excerpt.ts";

describe("toExcerpt", () => {
  it("shows what is around the first term on one line", () => {
    const text = `${"before ".repeat(20)}\n\tNeedle ${"after ".repeat(50)}`;
    const excerpt = toExcerpt(text, ["missing", "needle"]);
    expect(excerpt).toMatch(/^….*before Needle after .*…$/);
    expect(excerpt.length).toBeLessThan(210);
  });

  it("shows the beginning when no term occurs as it was written", () => {
    expect(toExcerpt("Déjà vu", ["deja"])).toBe("Déjà vu");
  });

  it("[Q17] never splits a surrogate pair, wherever the cut falls", () => {
    for (let length = 0; length < 300; length++) {
      const text = `${"x".repeat(length % 3)}${"🧵".repeat(length)}needle${"🧵".repeat(300)}`;
      expect(toExcerpt(text, ["needle"]).isWellFormed(), String(length)).toBe(true);
    }
  });

  it("survives a text whose lower case is longer than itself", () => {
    expect(toExcerpt(`${"İ".repeat(500)}end`, ["end"])).toContain("end");
  });
});
