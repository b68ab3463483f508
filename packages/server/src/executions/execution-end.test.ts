import { describe, expect, test } from "vitest";
import { type ObservedEnd, toExecutionEnd } from "./execution-end.ts";

const observed = (overrides: Partial<ObservedEnd>): ObservedEnd => ({
  closing: undefined,
  exit: { exitCode: 0, signal: null, endedAt: 2 },
  stopRequested: false,
  closesItself: true,
  lastErrorLine: "",
  isSilent: false,
  hasWorked: true,
  ...overrides,
});

describe("how an execution ended", () => {
  test.each([
    ["its own word counts", { closing: { type: "end", status: "success", at: 1 } }, "success"],
    ["success before a stop arrived stays success", { closing: { type: "end", status: "success", at: 1 }, stopRequested: true }, "success"],
    ["a stop makes a failure a cancellation", { closing: { type: "end", status: "failed", at: 1 }, stopRequested: true }, "cancelled"],
    ["killed by a stop, without a word", { exit: { exitCode: null, signal: "SIGKILL", endedAt: 2 }, stopRequested: true }, "cancelled"],
    ["no recorded exit", { exit: undefined }, "interrupted"],
    ["ended by a signal from outside", { exit: { exitCode: null, signal: "SIGKILL", endedAt: 2 } }, "interrupted"],
    ["exit 0 without its closing record", {}, "interrupted"],
    ["exit 0 of an agent that has no closing record", { closesItself: false }, "success"],
    ["a non-zero exit", { exit: { exitCode: 3, signal: null, endedAt: 2 } }, "failed"],
    ["was not to be started", { exit: { exitCode: null, signal: null, endedAt: 2, notStarted: "Setup failed." } }, "failed"],
    ["could not be started", { exit: { exitCode: null, signal: null, endedAt: 2, startError: "ENOENT" } }, "failed"],
  ] satisfies [string, Partial<ObservedEnd>, string][])("[E5] %s", (_name, overrides, status) => {
    expect(toExecutionEnd(observed(overrides)).status).toBe(status);
  });

  test("[L7] an end right after a limit was exceeded names the limit; a success and a stop do not", () => {
    const over = { resource: "memory", limit: 1024, used: 2048 } as const;
    const exit = { exitCode: null, signal: "SIGKILL", endedAt: 2, overLimit: over };
    const named = { status: "interrupted", reason: { code: "ended-by-resource-limit", ...over } };
    expect(toExecutionEnd(observed({ exit }))).toMatchObject(named);
    expect(toExecutionEnd(observed({ exit, closing: { type: "end", status: "failed", at: 1 } }))).toMatchObject(named);
    expect(toExecutionEnd(observed({ exit, stopRequested: true })).status).toBe("cancelled");
    expect(toExecutionEnd(observed({ exit: { ...exit, exitCode: 0, signal: null }, closesItself: false })).status).toBe("success");
    expect(toExecutionEnd(observed({ exit, closing: { type: "end", status: "success", at: 1 } })).status).toBe("success");
  });

  test("[E5] a success without output is a failure, reported with the last line of stderr", () => {
    const closing = { type: "end", status: "success", at: 1 } as const;
    const silent = (overrides: Partial<ObservedEnd>) => toExecutionEnd(observed({ isSilent: true, ...overrides }));
    const reason = { code: "ended-without-answer", stderr: "HTTP 401" };
    expect(silent({ closing, lastErrorLine: "HTTP 401" })).toEqual({ status: "failed", reason, code: null, said: "HTTP 401" });
    expect(silent({ closesItself: false, lastErrorLine: "HTTP 401" })).toEqual({ status: "failed", reason, code: null, said: "HTTP 401" });
    expect(silent({ closing }).reason).toEqual({ code: "ended-without-answer" });
    expect(silent({ closing, stopRequested: true }).status).toBe("success");
  });

  test.each([
    [
      "a limit that was reached",
      { closing: { type: "end", status: "interrupted", code: "step-limit", at: 1 } },
      "interrupted",
      "step-limit",
    ],
    ["a limit, stopped by the user", { closing: { type: "end", status: "interrupted", at: 1 }, stopRequested: true }, "cancelled", null],
    ["a failure before any work", { closing: { type: "end", status: "failed", at: 1 }, hasWorked: false }, "failed", "not-answered"],
    ["a failure after some work", { closing: { type: "end", status: "failed", at: 1 } }, "failed", null],
    ["a code of the agent's own", { closing: { type: "end", status: "failed", code: "step-limit", at: 1 } }, "failed", null],
    ["a stop before any work", { stopRequested: true, hasWorked: false }, "cancelled", "not-answered"],
    ["success", { closing: { type: "end", status: "success", at: 1 }, hasWorked: false }, "success", null],
  ] satisfies [string, Partial<ObservedEnd>, string, string | null][])(
    "[E5] what can be done next after %s",
    (_, overrides, status, code) => {
      expect(toExecutionEnd(observed(overrides))).toMatchObject({ status, code });
    },
  );

  test("a failure includes the agent's last line of stderr", () => {
    const end = toExecutionEnd(observed({ exit: { exitCode: 3, signal: null, endedAt: 2 }, lastErrorLine: "no such model" }));
    expect(end.reason).toEqual({ code: "ended-with-exit-code", exitCode: 3, stderr: "no such model" });
  });

  test("[E5] only the agent's own words are explained, not Skein's description of its end", () => {
    const said = (overrides: Partial<ObservedEnd>) => toExecutionEnd(observed(overrides)).said;
    const exit = { exitCode: null, signal: null, endedAt: 2 };
    expect(said({ closing: { type: "end", status: "failed", reason: "HTTP 401", at: 1 } })).toBe("HTTP 401");
    expect(said({ exit: { ...exit, exitCode: 3 }, lastErrorLine: "HTTP 401" })).toBe("HTTP 401");
    expect(said({ exit: { ...exit, exitCode: 3 } })).toBeUndefined();
    expect(said({ exit: { ...exit, notStarted: "The folder /home/me/rate-limit is gone." } })).toBeUndefined();
    expect(said({ exit: { ...exit, startError: "write EPIPE" } })).toBeUndefined();
  });
});
