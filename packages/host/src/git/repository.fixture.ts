import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRepository } from "./find-repository.ts";
import type { GitFolder } from "./git-folder.ts";
import { createOwnGitDir } from "./own-git-dir.ts";
import { resolveBase } from "./resolve-base.ts";
import { addWorktree } from "./worktrees.ts";

/** A repository with one commit of `a.txt` on `main`. */
export function newRepository(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "skein-git-")));
  git(path, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(path, "a.txt"), "one\ntwo\nthree\n");
  commit(path, "first");
  return path;
}

/** Without maintenance: each commit would start another git, which finds nothing to do. */
const settings = ["user.name=Test", "user.email=test@example.invalid", "maintenance.auto=false"].flatMap((setting) => ["-c", setting]);

export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...settings, ...args], { cwd, encoding: "utf8" });
}

export function commit(path: string, message: string): void {
  git(path, "add", "--all");
  git(path, "commit", "--quiet", "--message", message);
}

const newHome = (): string => realpathSync(mkdtempSync(join(tmpdir(), "skein-home-")));

/** Opens it as a server does for a project or an in-place attempt. */
export async function openRepository(path: string): Promise<GitFolder> {
  return createOwnGitDir(join(newHome(), "git", "project"), await findRepository(path));
}

/** Creates an attempt's worktree as a server does. */
export async function newWorktree(repositoryPath: string, options: { title?: string; number?: number } = {}) {
  const home = newHome();
  const repository = await openRepository(repositoryPath);
  const root = join(home, "worktrees");
  const { commit } = await resolveBase(repository, undefined);
  const number = options.number ?? 1;
  const ownDir = join(home, "git", "attempt");
  const taskTitle = options.title ?? "Fix it";
  const place = { repository, root, folderName: `wt-${number}`, ownDir, taskTitle, number, commit, baseCommit: commit };
  const { branch, folder } = await addWorktree(place);
  return { root, branch, folder, directory: folder.directory, ownDir, baseCommit: commit, repository };
}
