import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findChangedParts } from "./changed-part.ts";

const show = (before: string, after: string) => {
  const parts = findChangedParts(before, after);
  if (!parts) return null;
  return [before.slice(parts.before.from, parts.before.to), after.slice(parts.after.from, parts.after.to)];
};

describe("findChangedParts", () => {
  it("finds what differs between two versions of a line", () => {
    expect(show("const value3 = 3;", "const value3 = 33;")).toEqual(["", "3"]);
    expect(show("return hello(name);", "return hello(firstName);")).toEqual(["n", "firstN"]);
  });

  it("marks nothing in lines that have little in common", () => {
    expect(show("import a from 'a';", "}")).toBeNull();
    expect(show("", "new")).toBeNull();
  });

  it("[Q17] puts both versions together again, and never splits a pair", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "🧵", "🪡"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = findChangedParts(before, after);
        if (!parts) return;
        expect(before.slice(0, parts.before.from)).toBe(after.slice(0, parts.after.from));
        expect(before.slice(parts.before.to)).toBe(after.slice(parts.after.to));
        for (const [line, { from, to }] of [
          [before, parts.before],
          [after, parts.after],
        ] as const)
          expect([line.slice(0, from), line.slice(from, to), line.slice(to)].every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });
});
