import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diffAgainstBase } from "./attempt-diff.ts";
import { commit, git, newRepository, newWorktree } from "./repository.fixture.ts";

describe("the diff of an attempt", () => {
  test("committed, uncommitted, new, deleted and renamed files, with real line numbers; the index stays as it was", async () => {
    const repository = newRepository();
    for (const name of ["gone.txt", "old name.txt"]) writeFileSync(join(repository, name), `${name}\n`.repeat(5));
    commit(repository, "more");
    const worktree = await newWorktree(repository);
    const { directory } = worktree;
    writeFileSync(join(directory, "a.txt"), "one\nTWO\nthree\n");
    writeFileSync(join(directory, "committed.txt"), "c\n");
    commit(directory, "work");
    rmSync(join(directory, "gone.txt"));
    git(directory, "mv", "old name.txt", "new 名.txt");
    writeFileSync(join(directory, "fresh\ttab.txt"), "f\n");
    writeFileSync(join(directory, "image.bin"), Buffer.from([0, 1, 2, 0, 255]));
    const before = git(directory, "status", "--porcelain");

    const { files, truncated } = await diffAgainstBase(worktree);
    expect(truncated).toBe(false);
    expect(Object.fromEntries(files.map((file) => [file.filePath, [file.change, file.additions, file.deletions, file.binary]]))).toEqual({
      "a.txt": ["updated", 1, 1, false],
      "committed.txt": ["created", 1, 0, false],
      "gone.txt": ["deleted", 0, 5, false],
      "new 名.txt": ["renamed", 0, 0, false],
      "fresh\ttab.txt": ["created", 1, 0, false],
      "image.bin": ["created", 0, 0, true],
    });
    expect(files.find((file) => file.filePath === "a.txt")?.hunks).toEqual([
      { oldStart: 1, oldLines: 3, newStart: 1, newLines: 3, lines: [" one", "-two", "+TWO", " three"] },
    ]);
    expect(git(directory, "status", "--porcelain")).toBe(before);
  });
});
