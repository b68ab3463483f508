import { join } from "node:path";
import type { RepositoryDirs } from "./find-repository.ts";
import type { GitTarget } from "./git-environment.ts";
import { type GitOptions, runGit, runGitBounded, tryGit } from "./run-git.ts";

/**
 * A folder with files of a repository, and our own git dir for it. The repository's paths were recorded before an agent worked there.
 * Its settings, hooks, `info` and index are never read.
 */
export interface GitFolder extends RepositoryDirs {
  readonly ownDir: string;
}

type OwnGitOptions = Omit<GitOptions, "cwd" | "target"> & { target?: Omit<GitTarget, "gitDir"> };

/** Runs git in the folder with our own git dir. Throws `GitError`. */
export function runOwnGit(folder: GitFolder, args: readonly string[], options: OwnGitOptions = {}): Promise<string> {
  return runGit(args, toGitOptions(folder, options));
}

export function runOwnGitBounded(folder: GitFolder, args: readonly string[], options: OwnGitOptions = {}) {
  return runGitBounded(args, toGitOptions(folder, options));
}

/** Like `runOwnGit`, trimmed; null if git fails. */
export function tryOwnGit(folder: GitFolder, args: readonly string[], options: OwnGitOptions = {}): Promise<string | null> {
  return tryGit(args, toGitOptions(folder, options));
}

function toGitOptions(folder: GitFolder, options: OwnGitOptions): GitOptions {
  const target = { gitDir: folder.ownDir, workTree: folder.directory, index: join(folder.ownDir, "index"), ...options.target };
  return { ...options, cwd: folder.directory, target };
}

const emptyTrees = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Id of the empty tree, which git knows without storing it. */
export function emptyTree({ objectFormat }: GitFolder): string {
  return emptyTrees[objectFormat];
}
