import { describe, expect, test } from "vitest";
import { type ObservedEnd, toExecutionEnd } from "./execution-end.ts";

const observed = (overrides: Partial<ObservedEnd>): ObservedEnd => ({
  closing: undefined,
  exit: { exitCode: 0, signal: null, endedAt: 2 },
  stopRequested: false,
  closesItself: true,
  lastErrorLine: "",
  ...overrides,
});

describe("how an execution ended", () => {
  test.each([
    ["its own word counts", { closing: { type: "end", status: "success", at: 1 } }, "success"],
    ["success before a stop arrived stays success", { closing: { type: "end", status: "success", at: 1 }, stopRequested: true }, "success"],
    ["a stop makes a failure a cancellation", { closing: { type: "end", status: "failed", at: 1 }, stopRequested: true }, "cancelled"],
    ["killed by a stop, without a word", { exit: { exitCode: null, signal: "SIGKILL", endedAt: 2 }, stopRequested: true }, "cancelled"],
    ["nobody saw it end", { exit: undefined }, "interrupted"],
    ["ended by a signal from outside", { exit: { exitCode: null, signal: "SIGKILL", endedAt: 2 } }, "interrupted"],
    ["exit 0 without its closing record", {}, "interrupted"],
    ["exit 0 of an agent that has no closing record", { closesItself: false }, "success"],
    ["a non-zero exit", { exit: { exitCode: 3, signal: null, endedAt: 2 } }, "failed"],
    ["was not to be started", { exit: { exitCode: null, signal: null, endedAt: 2, notStarted: "Setup failed." } }, "failed"],
    ["could not be started", { exit: { exitCode: null, signal: null, endedAt: 2, startError: "ENOENT" } }, "failed"],
  ] satisfies [string, Partial<ObservedEnd>, string][])("[E5] %s", (_name, overrides, status) => {
    expect(toExecutionEnd(observed(overrides)).status).toBe(status);
  });

  test("a failure says what the agent last wrote to stderr", () => {
    const end = toExecutionEnd(observed({ exit: { exitCode: 3, signal: null, endedAt: 2 }, lastErrorLine: "no such model" }));
    expect(end.reason).toBe("The agent ended with exit code 3. no such model");
  });
});
