import { expect, it } from "vitest";
import { parsePresentation } from "./parse-presentation.ts";

it("[T8] takes a summary with valid details, as one short line, and nothing else that was returned", () => {
  const details = { type: "plan", data: { plan: "x" } };
  expect(parsePresentation({ summary: "Deployed\n  it", details, failure: { file: "a", reason: "b" }, more: 1 })).toEqual({
    summary: "Deployed it",
    details,
  });
  expect(parsePresentation({ summary: "x".repeat(5000), details: null })).toEqual({ summary: `${"x".repeat(199)}…` });
});

it.each([
  [undefined, "no object"],
  [7, "no object"],
  [{}, "no summary"],
  [{ summary: " \n" }, "an empty summary"],
  [{ summary: "x", details: { type: "magic" } }, "details.type"],
  [{ summary: "x", details: { type: "plan", data: { plan: 3 } } }, "details.data.plan"],
])("[T8] says what is wrong with %j", (value, reason) => {
  expect(() => parsePresentation(value)).toThrow(reason);
});
