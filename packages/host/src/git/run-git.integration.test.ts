import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createId } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { diffAgainstBase } from "./attempt-diff.ts";
import { recordExecutionTree } from "./execution-trees.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { commit, git, newRepository, newWorktree } from "./repository.fixture.ts";
import { runGit } from "./run-git.ts";
import { removeWorktree } from "./worktrees.ts";

describe("[X9] git runs nothing of the repository", () => {
  /** Every known way for a repository to make git run a program; each leaves a trace if it did. */
  function booby(repository: string): string {
    const trace = join(mkdtempSync(join(tmpdir(), "skein-trace-")), "ran");
    const script = join(repository, ".git", "evil.sh");
    writeFileSync(script, `#!/bin/sh\necho "$0 $@" >> "${trace}"\ncat 2>/dev/null\n`);
    chmodSync(script, 0o755);
    for (const hook of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"]) {
      const path = join(repository, ".git/hooks", hook);
      mkdirSync(join(repository, ".git/hooks"), { recursive: true });
      writeFileSync(path, `#!/bin/sh\necho ${hook} >> "${trace}"\n`);
      chmodSync(path, 0o755);
    }
    for (const [key, value] of [
      ["core.fsmonitor", script],
      ["filter.evil.clean", script],
      ["filter.evil.smudge", script],
      ["filter.evil.required", "true"],
      ["diff.external", script],
      ["diff.evil.textconv", script],
      ["core.pager", script],
    ] as const) {
      git(repository, "config", key, value);
    }
    writeFileSync(join(repository, ".gitattributes"), "*.txt filter=evil diff=evil\n");
    return trace;
  }

  test("adding, branching and comparing leave no trace", async () => {
    const repository = newRepository();
    writeFileSync(join(repository, ".gitattributes"), "*.txt filter=evil diff=evil\n");
    commit(repository, "attributes");
    const trace = booby(repository);
    rmSync(trace, { force: true });

    await inspectRepository(repository);
    const worktree = await newWorktree(repository);
    writeFileSync(join(worktree.directory, "a.txt"), "one\n2\nthree\n");
    const diff = await diffAgainstBase(worktree);
    await recordExecutionTree({ ...worktree, executionId: createId("exe", 1) });
    await removeWorktree(worktree);

    expect(diff.files.map((file) => file.filePath)).toEqual(["a.txt"]);
    expect(existsSync(trace) ? readFileSync(trace, "utf8") : "").toBe("");
  });

  test("the traps do work when git is called plainly", () => {
    const repository = newRepository();
    const trace = booby(repository);
    writeFileSync(join(repository, "a.txt"), "changed\n");
    git(repository, "status");
    expect(existsSync(trace)).toBe(true);
  });

  test("a failure names its command, and does not affect others", async () => {
    const repository = newRepository();
    await Promise.all([
      expect(runGit(["rev-parse", "--verify", "gone"], { cwd: repository })).rejects.toThrow(/^git rev-parse failed: fatal: Needed/),
      expect(runGit(["rev-parse", "HEAD"], { cwd: join(repository, "gone") })).rejects.toThrow(/^git rev-parse failed: spawn git ENOENT/),
      expect(runGit(["rev-parse", "--is-inside-work-tree"], { cwd: repository })).resolves.toBe("true\n"),
    ]);
  });

  test("the caller's GIT_ variables do not point it elsewhere", async () => {
    const [repository, other] = [newRepository(), newRepository()];
    process.env.GIT_DIR = join(other, ".git");
    try {
      expect((await runGit(["rev-parse", "--show-toplevel"], { cwd: repository })).trim()).toBe(repository);
    } finally {
      delete process.env.GIT_DIR;
    }
  });
});
