import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const bench = fileURLToPath(new URL("../../bench/run.mjs", import.meta.url));

// a dozen servers and five browsers: ten seconds of an idle machine, minutes of a busy one
test("every measure of the benchmarks works, run with tiny sizes", { timeout: 600_000 }, async () => {
  const running = promisify(execFile)(process.execPath, [bench, "--smoke"], { encoding: "utf8" });
  const problems = await running.then(
    () => "",
    (error: { stderr?: string }) => error.stderr || String(error),
  );
  expect(problems).toBe("");
});
