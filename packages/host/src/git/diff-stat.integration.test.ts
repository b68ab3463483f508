import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { diffAgainstBase } from "./attempt-diff.ts";
import { statAgainstBase } from "./diff-stat.ts";
import { openRepository } from "./repository.fixture.ts";

let directory = "";
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], { cwd: directory, encoding: "utf8" });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "skein-stat-"));
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(directory, "a.txt"), "one\ntwo\nthree\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("counts what is committed, changed and new, as the whole diff does, and leaves the index as it is", async () => {
  const baseCommit = git("rev-parse", "HEAD").trim();
  const folder = await openRepository(directory);
  expect(await statAgainstBase({ folder, baseCommit })).toEqual({ files: 0, additions: 0, deletions: 0 });
  writeFileSync(join(directory, "a.txt"), "one\n2\nthree\n");
  git("commit", "--quiet", "--all", "--message", "second");
  writeFileSync(join(directory, "新 file.txt"), "x\ny\n");
  writeFileSync(join(directory, "binary.bin"), Buffer.from([0, 1, 2]));
  const before = git("status", "--porcelain");
  const stat = await statAgainstBase({ folder, baseCommit });
  const { files } = await diffAgainstBase({ folder, baseCommit });
  expect(stat).toEqual({ files: 3, additions: 3, deletions: 1 });
  expect(stat.files).toBe(files.length);
  expect(git("status", "--porcelain")).toBe(before);
});
