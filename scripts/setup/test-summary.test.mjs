import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TestSummary } from "./test-summary.mjs";

test("what failed in any part is told at the end, with the beginning of its message; a killed part tells nothing", () => {
  const summary = new TestSummary();
  const failure = { file: "tests/a.test.ts", title: "nothing is lost", message: `one\n${"x".repeat(500)}\n3\n4\n5\n6\nseven` };
  writeFileSync(
    summary.fileFor("unit"),
    JSON.stringify({
      failures: [failure],
      files: [
        { file: "quick", durationMs: 20 },
        { file: "slow", durationMs: 61_000 },
      ],
    }),
  );
  summary.fileFor("browser");

  const lines = summary.tell().split("\n");

  expect(lines.slice(0, 3)).toEqual(["Failed: 1", "✗ tests/a.test.ts › nothing is lost", "    one"]);
  expect(lines[3]).toBe(`    ${"x".repeat(200)}`);
  expect(lines).not.toContain("    seven");
  expect(lines.at(-2)).toContain("slow");
  expect(lines.at(-1)).toContain("quick");
});
