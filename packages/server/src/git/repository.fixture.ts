import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addWorktree, resolveBase } from "./worktrees.ts";

/** With one commit of `a.txt` on `main`. */
export function newRepository(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "skein-git-")));
  git(path, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(path, "a.txt"), "one\ntwo\nthree\n");
  commit(path, "first");
  return path;
}

export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], { cwd, encoding: "utf8" });
}

export function commit(path: string, message: string): void {
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message", message);
}

export async function newWorktree(repository: string, options: { title?: string; number?: number } = {}) {
  const root = join(mkdtempSync(join(tmpdir(), "skein-home-")), "worktrees");
  const base = await resolveBase(repository, undefined);
  const folderName = `wt-${options.number ?? 1}`;
  const place = await addWorktree({
    repository,
    root,
    folderName,
    taskTitle: options.title ?? "Fix it",
    number: options.number ?? 1,
    baseCommit: base.commit,
  });
  return { root, ...place, baseCommit: base.commit, repository };
}
