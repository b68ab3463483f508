import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inRepository, root } from "./repository.mjs";
import { runCommand } from "./run-command.mjs";
import { TestSummary } from "./test-summary.mjs";

test("failed tests of every part are listed with the beginning of their errors; a killed part adds nothing", () => {
  const summary = new TestSummary();
  const failure = { file: "tests/a.test.ts", title: "nothing is lost", message: `one\n${"x".repeat(500)}\n3\n4\n5\n6\nseven` };
  writeFileSync(
    summary.fileFor("unit"),
    JSON.stringify({
      failures: [failure],
      retried: [],
      files: [
        { file: "waits", durationMs: 61_000, cpuMs: 20 },
        { file: "works", durationMs: 30_000, cpuMs: 29_000 },
      ],
    }),
  );
  summary.fileFor("browser");

  const lines = summary.format().split("\n");

  expect(lines.slice(0, 3)).toEqual(["Failed: 1", "✗ tests/a.test.ts › nothing is lost", "    one"]);
  expect(lines[3]).toBe(`    ${"x".repeat(200)}`);
  expect(lines).not.toContain("    seven");
  expect(lines.slice(-3)).toEqual([
    "The files that take the most CPU time, of 29.0 s in all:",
    "      29.0 s  works (took 30.0 s)",
    "       20 ms  waits (took 1 min 1 s)",
  ]);
});

test("a test that passes only on retry is listed with its first error, separately from one that fails twice", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-retried-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "tries.test.js");
  writeFileSync(
    file,
    `let tries = 0;
     test("steady", () => {});
     test("racy", () => { tries += 1; if (tries === 1) throw new Error("no answer at try " + tries); });
     test("broken", () => { throw new Error("never works"); });`,
  );
  const summary = new TestSummary();
  const vitest = inRepository("node_modules/vitest/vitest.mjs");
  const reporter = `--reporter=${inRepository("scripts/setup/summary-reporter.mjs")}`;

  const run = await runCommand(process.execPath, [vitest, "run", "--globals", "--retry=1", "--root", folder, reporter], {
    output: "keep",
    env: { ...process.env, SKEIN_TEST_SUMMARY: summary.fileFor("integration") },
  });

  expect(run.code).toBe(1);
  const shown = relative(root, file);
  expect(summary.format().split("\n").slice(0, -1)).toEqual([
    "Failed: 1",
    `✗ ${shown} › broken`,
    "    never works",
    "    never works",
    "",
    "Passed only on retry: 1",
    `↻ ${shown} › racy`,
    "    no answer at try 1",
    "",
    "The files that take the most CPU time, of 0 ms in all:",
  ]);
});
