import fc from "fast-check";
import { expect, it } from "vitest";
import { findLineEnd, withLineEnd } from "./line-ends.ts";

it("[G4] a text that was not edited is written back as it was, whatever its line ends; mixed ones are not edited", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r")), (parts) => {
      const text = parts.join("");
      const end = findLineEnd(text);
      if (end === null) {
        expect(new Set(text.match(/\r\n|\r|\n/g)).size > 1 || /\r(?!\n)/.test(text)).toBe(true);
        return;
      }
      const inField = text.replace(/\r\n?/g, "\n");
      expect(withLineEnd(inField, end)).toBe(text);
    }),
  );
});
