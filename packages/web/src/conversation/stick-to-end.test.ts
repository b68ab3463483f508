import { describe, expect, it } from "vitest";
import { followsEnd } from "./stick-to-end.ts";

const at = (top: number, height = 1000) => ({ top, height, viewport: 400 });

describe("followsEnd", () => {
  it("stops following when the user scrolls up, and follows again at the end", () => {
    expect(followsEnd(true, at(600), at(500))).toBe(false);
    expect(followsEnd(false, at(500), at(560))).toBe(true);
    expect(followsEnd(false, at(300), at(400))).toBe(false);
  });

  it("keeps following when the end moves away because content grew", () => {
    expect(followsEnd(true, at(600), at(600, 2000))).toBe(true);
    expect(followsEnd(true, at(600), at(650, 2000))).toBe(true);
  });

  it("keeps following when content shrinks and the browser moves up with it", () => {
    expect(followsEnd(true, at(600), at(400, 800))).toBe(true);
  });
});
