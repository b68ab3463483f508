import { describe, expect, it } from "vitest";
import { takePart } from "./take-part.ts";

describe("takePart", () => {
  it("cuts by lines or by characters, whichever comes first", () => {
    expect(takePart("a\nb\nc", { characters: 100, lines: 2 })).toBe("a\nb\n");
    expect(takePart("abcdef", { characters: 4, lines: 2 })).toBe("abcd");
    expect(takePart("a\nb", { characters: 100, lines: 2 })).toBe("a\nb");
  });

  it("[Q17] never splits a character", () => {
    expect(takePart("a😀", { characters: 2, lines: 1 })).toBe("a");
  });
});
