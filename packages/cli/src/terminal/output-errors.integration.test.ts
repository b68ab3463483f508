import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { skeinProgram } from "../testing/skein-program.ts";

test("a pipe that is closed early is not an error", async () => {
  // the reader ends before anything is written
  const script = '{ sleep 0.2; "$1" "$2" --help; echo "code $?" >&2; } | true';
  const { stderr } = await promisify(execFile)("bash", ["-c", script, "bash", process.execPath, skeinProgram]);
  expect(stderr.trim()).toBe("code 0");
});
