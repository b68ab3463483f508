import { describe, expect, it } from "vitest";
import { capMarks } from "./cap-marks.ts";

describe("capMarks", () => {
  it("[X19] cuts a run of combining marks and a chain of joined emoji", () => {
    expect(capMarks(`a${"\u0301".repeat(200_000)}b`)).toBe(`a${"\u0301".repeat(30)}…b`);
    expect(capMarks("\u{1f469}\u200d".repeat(10_000)).match(/\u200d…/g)).toBeNull();
    expect(
      Math.max(
        ...capMarks("\u{1f469}\u200d".repeat(10_000))
          .split("…")
          .map((chain) => chain.length),
      ),
    ).toBeLessThan(120);
  });

  it("leaves words of every language and emoji as they are", () => {
    for (const text of ["é̂ Tiếng Việt", "שָׁלוֹם", "བསྒྲུབས", "👩‍👩‍👧‍👦 👩🏽‍💻 ❤️", "क्षत्रिय", "กำลัง"]) expect(capMarks(text)).toBe(text);
  });
});
