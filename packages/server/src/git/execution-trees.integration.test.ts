import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExecutionId, executionIdSchema } from "@skein/contracts";
import { expect, test } from "vitest";
import { deleteExecutionTrees, diffExecutionTrees, recordExecutionTree } from "./execution-trees.ts";

const id = (number: number): ExecutionId => executionIdSchema.parse(`exe_${number}`);

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], { cwd, encoding: "utf8" });
}

function newRepository(): { directory: string; baseCommit: string } {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "skein-trees-")));
  git(directory, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(directory, ".gitignore"), "*.log\n");
  writeFileSync(join(directory, "a.txt"), "one\ntwo\n");
  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--message", "first");
  return { directory, baseCommit: git(directory, "rev-parse", "HEAD").trim() };
}

test("each execution has its own changes, committed or not; nothing of the repository's state is touched", async () => {
  const { directory, baseCommit } = newRepository();
  const changesOf = async (executionId: ExecutionId, before: ExecutionId[]) => {
    const { files } = await diffExecutionTrees({ directory, before, executionId, baseCommit });
    return files.map(({ filePath, change, additions, deletions }) => `${filePath} ${change} +${additions} -${deletions}`);
  };

  writeFileSync(join(directory, "a.txt"), "one\nTWO\n");
  writeFileSync(join(directory, "new file.txt"), "new\n");
  writeFileSync(join(directory, "ignored.log"), "x");
  const before = git(directory, "status", "--porcelain");
  await recordExecutionTree({ directory, executionId: id(1) });
  expect(git(directory, "status", "--porcelain")).toBe(before);
  expect(git(directory, "log", "--all", "--oneline").trim().split("\n")).toHaveLength(1);
  expect(git(directory, "branch", "--list").trim()).toBe("* main");

  git(directory, "add", "--all");
  git(directory, "commit", "--quiet", "--message", "work");
  rmSync(join(directory, "new file.txt"));
  writeFileSync(join(directory, "b.txt"), "b\n");
  await recordExecutionTree({ directory, executionId: id(2) });
  writeFileSync(join(directory, "later.txt"), "later\n");

  expect(await changesOf(id(1), [])).toEqual(["a.txt updated +1 -1", "new file.txt created +1 -0"]);
  expect(await changesOf(id(2), [id(1)])).toEqual(["b.txt created +1 -0", "new file.txt deleted +0 -1"]);
  expect(await changesOf(id(3), [id(1), id(2)]), "not recorded: up to now").toEqual(["later.txt created +1 -0"]);
  // one whose end nobody saw is left out: the one before counts
  expect(await changesOf(id(2), [id(1), id(9)])).toEqual(["b.txt created +1 -0", "new file.txt deleted +0 -1"]);

  await deleteExecutionTrees(directory, [id(1), id(2), id(9)]);
  expect(git(directory, "for-each-ref", "refs/skein/").trim()).toBe("");
});

test("a huge file and a repository within are not copied in", async () => {
  const { directory, baseCommit } = newRepository();
  writeFileSync(join(directory, "huge.bin"), Buffer.alloc(11 * 1024 * 1024));
  mkdirSync(join(directory, "inner"));
  git(join(directory, "inner"), "init", "--quiet");
  writeFileSync(join(directory, "inner/x.txt"), "x");
  writeFileSync(join(directory, "small.txt"), "s\n");
  await recordExecutionTree({ directory, executionId: id(1) });
  const { files } = await diffExecutionTrees({ directory, before: [], executionId: id(1), baseCommit });
  expect(files.map(({ filePath }) => filePath)).toEqual(["small.txt"]);
});
