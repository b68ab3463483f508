import type { Approval, AttemptDiff, Execution } from "@skein/contracts";
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
  it("lists every file that any of them changed, and which changes are the same", () => {
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
  const ended = (id: string, startedAt: number, endedAt: number, usage: object) =>
    ({ id, status: "success", startedAt, endedAt, durationMs: endedAt - startedAt, usage }) as Execution;
  const asked = (executionId: string, requestedAt: number, resolvedAt: number) =>
    ({ executionId, requestedAt, status: "answered", resolvedAt }) as Approval;

  it("adds up what was reported, and leaves out what was not", () => {
    const executions = [
      ended("exe_1", 0, 5, { inputTokens: 1 }),
      ended("exe_2", 10, 17, { inputTokens: 2, costUsd: 0.5 }),
      { status: "running" } as Execution,
    ];
    expect(sumExecutions(executions, [])).toEqual({ count: 3, workingMs: 12, waitingMs: 0, usage: { inputTokens: 3, costUsd: 0.5 } });
  });

  it("[E10] counts the time of questions as waiting, not as working, and that of two at once only once", () => {
    const approvals = [asked("exe_1", 100, 300), asked("exe_1", 200, 400), asked("exe_2", 0, 5), asked("exe_1", 900, 2000)];
    expect(sumExecutions([ended("exe_1", 50, 1000, {})], approvals)).toMatchObject({ workingMs: 550, waitingMs: 400 });
  });
});
