import fc from "fast-check";
import { expect, it } from "vitest";
import { fromStoredText, toStoredText, toStoredValues } from "./stored-text.ts";

it("[Q13] every text can be stored, without U+0000, and is read as it was", () => {
  const texts = fc.string({ unit: fc.constantFrom("\0", "\uffff", "0", "a", "\n", "灯") });
  fc.assert(
    fc.property(texts, (text) => {
      expect(toStoredText(text)).not.toContain("\0");
      expect(fromStoredText(toStoredText(text))).toBe(text);
    }),
  );
  expect(toStoredText("plain")).toBe("plain");
});

it("converts texts in lists, and nothing else", () => {
  expect(toStoredValues(["a\0", 1, null, ["\0", 2]])).toEqual(["a\uffff0", 1, null, ["\uffff0", 2]]);
});
