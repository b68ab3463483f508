import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { GitError } from "../git/run-git.ts";
import { treeOf } from "./folder-tree.ts";
import { GitObstacleError } from "./git-obstacle.ts";
import { ownIdentity, writeCommit } from "./identity.ts";
import { toShellCommand } from "./shell-command.ts";

export interface ConflictingFile {
  /** A character is a byte. */
  path: string;
  base: TreeEntry | null;
  ours: TreeEntry | null;
  theirs: TreeEntry | null;
}

export interface TreeEntry {
  mode: string;
  id: string;
}

/** With conflicts, `tree` has files with marks. */
export interface MergedTrees {
  tree: string;
  conflicts: ConflictingFile[];
}

/** Merges two commits, as `git merge` does, without touching a file or a ref; with `base`, as if they had that commit in common. */
export async function mergeCommits(
  folder: GitFolder,
  { ours, theirs, base }: { ours: string; theirs: string; base: string | undefined },
): Promise<MergedTrees> {
  if (base === undefined) return runMergeTree(folder, ours, theirs);
  const [baseTree, oursTree, theirsTree] = [await treeOf(folder, base), await treeOf(folder, ours), await treeOf(folder, theirs)];
  return mergeTrees(folder, { base: baseTree, ours: oursTree, theirs: theirsTree });
}

/**
 * Merges with a base of our choice. `git merge-tree` before 2.40 only knows that of the history: so the trees become commits of a history
 * that says what we want. Nobody else sees them.
 */
export async function mergeTrees(
  folder: GitFolder,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<MergedTrees> {
  const write = (tree: string, parents: readonly string[]) =>
    writeCommit(folder, { tree, parents, message: "merge", committer: ownIdentity });
  const root = await write(base, []);
  return runMergeTree(folder, await write(ours, [root]), await write(theirs, [root]));
}

async function runMergeTree(folder: GitFolder, ours: string, theirs: string): Promise<MergedTrees> {
  const args = ["merge-tree", "--write-tree", "-z", "--no-messages", ours, theirs];
  try {
    return parseMergeTree(await runOwnGit(folder, args, { encoding: "latin1" }));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    if (error.exitCode === 1) return parseMergeTree(error.stdout);
    if (/usage: git merge-tree|unknown option/.test(error.stderr)) throw await tooOld(folder);
    if (/unrelated histories|not something we can merge|unable to read/.test(error.stderr)) {
      throw new GitObstacleError(
        { code: "shallow" },
        { command: toShellCommand("git", "-C", folder.directory, "fetch", "--unshallow"), cause: error },
      );
    }
    throw error;
  }
}

async function tooOld(folder: GitFolder): Promise<GitObstacleError> {
  const version = (await runOwnGit(folder, ["version"])).trim().replace("git version ", "");
  return new GitObstacleError({ code: "git-too-old", version });
}

/** `<tree> NUL (<mode> <id> <stage> TAB <path> NUL)*` */
function parseMergeTree(output: string): MergedTrees {
  const [tree = "", ...fields] = output.split("\0");
  const conflicts = new Map<string, ConflictingFile>();
  for (const field of fields) {
    const [, mode, id, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(field) ?? [];
    if (mode === undefined || id === undefined || path === undefined) continue;
    const file = conflicts.get(path) ?? { path, base: null, ours: null, theirs: null };
    const side = stage === "1" ? "base" : stage === "2" ? "ours" : "theirs";
    conflicts.set(path, { ...file, [side]: { mode, id } });
  }
  return { tree: tree.trim(), conflicts: [...conflicts.values()] };
}
