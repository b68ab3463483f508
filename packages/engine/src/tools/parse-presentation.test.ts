import { expect, it } from "vitest";
import { parsePresentation } from "./parse-presentation.ts";

const observation = { toolName: "deploy", input: null, output: "", isError: false, state: "completed" } as const;
const state = "completed";

it("[T8] accepts a sentence with valid details, as one short line, and ignores everything else", () => {
  const details = { type: "plan", data: { plan: "x" } };
  const given = { summary: "Deployed\n  it", details, failure: { file: "a", reason: "b" }, more: 1 };
  expect(parsePresentation(given, observation)).toEqual({ summary: { action: "text", subject: "Deployed it", state }, details });
  expect(parsePresentation({ summary: "x".repeat(5000), details: null }, observation)).toEqual({
    summary: { action: "text", subject: `${"x".repeat(199)}…`, state },
  });
});

it("[T8] accepts a summary as data, with or without its own state", () => {
  const summary = { action: "update", subject: "a\nb", count: 2, more: 1 };
  expect(parsePresentation({ summary }, observation)).toEqual({ summary: { action: "update", subject: "a b", count: 2, state } });
  expect(parsePresentation({ summary: { action: "run", state: "failed" } }, observation)).toEqual({
    summary: { action: "run", state: "failed" },
  });
});

it.each([
  [undefined, "no object"],
  [7, "no object"],
  [{}, "no summary"],
  [{ summary: 7 }, "no summary"],
  [{ summary: " \n" }, "an empty summary"],
  [{ summary: { action: "deploy" } }, "an invalid summary: summary.action"],
  [{ summary: { action: "run", count: -1 } }, "an invalid summary: summary.count"],
  [{ summary: "x", details: { type: "magic" } }, "details.type"],
  [{ summary: "x", details: { type: "plan", data: { plan: 3 } } }, "details.data.plan"],
])("[T8] says what is wrong with %j", (value, reason) => {
  expect(() => parsePresentation(value, observation)).toThrow(reason);
});
