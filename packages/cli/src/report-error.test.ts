import { expect, it } from "vitest";
import { CliError } from "./cli-error.ts";
import { describeError } from "./report-error.ts";

it("prints the problem and what to do, without a stack", () => {
  const error = new CliError("Port 4180 is in use.", { hint: "Choose another." });
  expect(describeError(error, {})).toBe("skein: Port 4180 is in use.\nChoose another.");
});

it("shows the stack and the cause with SKEIN_DEBUG=1", () => {
  const text = describeError(new CliError("No.", { cause: new Error("deep") }), { SKEIN_DEBUG: "1" });
  expect(text).toContain("report-error.test.ts");
  expect(text).toContain("caused by Error: deep");
});

it("reports a bug as one", () => {
  expect(describeError(new TypeError("x is undefined"), {})).toContain("bug in Skein");
});

it("[Q16] a full disk is reported with its cause, what to do, and the system's message", () => {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const text = describeError(new Error("The server could not be started.", { cause: error }), {});
  expect(text).toBe(
    "skein: The disk is full.\nFree some space on the disk of the data directory.\n(ENOSPC: no space left on device, write)",
  );
});
