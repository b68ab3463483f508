import type { AttemptDiff, Execution } from "@skein/contracts";
import { describe, expect, it } from "vitest";
import { compareFiles, sumExecutions } from "./to-comparison.ts";

const file = (filePath: string, line: string, binary = false): AttemptDiff["files"][number] => ({
  filePath,
  change: "updated",
  additions: 1,
  deletions: 0,
  binary,
  hunks: [{ oldStart: 1, oldLines: 0, newStart: 1, newLines: 1, lines: [`+${line}`] }],
});
const diff = (...files: AttemptDiff["files"]): AttemptDiff => ({ baseCommit: null, truncated: false, files });

describe("compareFiles", () => {
  it("lists every file that any of them changed, and tells which changes are the same", () => {
    const compared = compareFiles([
      diff(file("b.ts", "x"), file("a.ts", "same"), file("i.png", "", true)),
      diff(file("a.ts", "same"), file("b.ts", "y"), file("i.png", "", true), file("c.ts", "only here")),
    ]);
    expect(compared.map(({ path, files, isSame }) => [path, files.map((found) => found !== null), isSame])).toEqual([
      ["a.ts", [true, true], true],
      ["b.ts", [true, true], false],
      ["c.ts", [false, true], false],
      ["i.png", [true, true], false],
    ]);
  });

  it("waits for a diff that is not there yet", () => {
    expect(compareFiles([undefined, diff(file("a.ts", "x"))])).toMatchObject([{ path: "a.ts", files: [null, {}], isSame: false }]);
  });
});

describe("sumExecutions", () => {
  it("adds up what was reported, and leaves out what was not", () => {
    const ended = (durationMs: number, usage: object) => ({ status: "success", durationMs, usage }) as Execution;
    expect(
      sumExecutions([ended(5, { inputTokens: 1 }), ended(7, { inputTokens: 2, costUsd: 0.5 }), { status: "running" } as Execution]),
    ).toEqual({
      count: 3,
      durationMs: 12,
      usage: { inputTokens: 3, costUsd: 0.5 },
    });
  });
});
