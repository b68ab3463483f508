import fc from "fast-check";
import { expect, it } from "vitest";
import { toTaskTitle } from "./task-title.ts";

it("is the first line of the prompt", () => {
  expect(toTaskTitle("  Fix the login\nIt fails since Monday.")).toBe("Fix the login");
});

it("is cut at a word, with an ellipsis", () => {
  expect(toTaskTitle("word ".repeat(40))).toBe(`${"word ".repeat(15).trimEnd()}…`);
});

it("[Q17] never splits a surrogate pair", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", minLength: 60, maxLength: 200 }), (prompt) => {
      expect(toTaskTitle(prompt).isWellFormed()).toBe(true);
    }),
  );
  expect(toTaskTitle("🧵".repeat(100))).toBe(`${"🧵".repeat(79)}…`);
});
