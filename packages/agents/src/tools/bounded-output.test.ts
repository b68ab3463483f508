import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";

describe("bounded output", () => {
  test("[Q17] [N3] at every limit the ends are kept, nothing is cut inside a pair, and what is left out is counted", () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "😀", "\n"), maxLength: 12 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 2, max: 20 }), (parts, limit) => {
        const output = new BoundedOutput(limit);
        for (const part of parts) output.append(part);
        const whole = parts.join("");
        let leftOut = 0;
        const shown = output.toText((count) => {
          leftOut = count;
          return "<cut>";
        });
        expect(shown.isWellFormed()).toBe(true);
        if (!output.isCut) {
          expect(shown).toBe(whole);
          return;
        }
        const [head = "", tail = ""] = shown.split("\n<cut>\n");
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + leftOut).toBe(whole.length);
        expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(limit);
      }),
    );
  });

  test("output that fits into head and tail is not cut", () => {
    const output = new BoundedOutput(4);
    for (const letter of "abcdefgh") output.append(letter);
    expect(output.toText(() => "<cut>")).toBe("abcdefgh");
    output.append("i");
    expect(output.toText(() => "<cut>")).toBe("abcd\n<cut>\nfghi");
  });
});
