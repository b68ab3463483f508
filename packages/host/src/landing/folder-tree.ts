import { lstat } from "node:fs/promises";
import type { CodedText } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import { listAncestors, toFsPath } from "../git/byte-path.ts";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import { findMirror } from "../git/mirror.ts";
import { checkoutTimeoutMs } from "../git/own-git-dir.ts";
import { GitError } from "../git/run-git.ts";
import { withSnapshot } from "../git/snapshot.ts";
import { GitObstacleError } from "./git-obstacle.ts";

/** A file that is in the way, or was changed meanwhile: nothing was written. */
export class FilesInTheWayError extends ServiceError {
  constructor(text: Extract<CodedText, { code: "files-in-the-way" | "files-changed" }>, options: { cause?: unknown } = {}) {
    super("conflict", text, options);
  }
}

/** What a folder holds now, as a tree of the repository's own objects, large files included. For a mirror: what it held last. */
export async function writeFolderTree(folder: GitFolder, baseCommit: string | null): Promise<string> {
  const mirror = await findMirror(folder);
  if (mirror !== undefined) return mirror.tree;
  return withSnapshot(folder, { baseCommit, objects: "keep", files: "all" }, async ({ target }) => writeTree(folder, target.index));
}

/**
 * Changes the files of a folder from what they are now to the tree `to`. Only files that differ are written. Git checks all of them before
 * it writes the first: one that changes meanwhile throws `FilesInTheWayError`.
 */
export async function applyTree(input: { folder: GitFolder; baseCommit: string | null; to: string }): Promise<void> {
  const { folder, baseCommit, to } = input;
  await withSnapshot(folder, { baseCommit, objects: "keep", files: "all" }, async ({ target }) => {
    const current = await writeTree(folder, target.index);
    if (current === to) return;
    // a file with the base's content and a later time would count as changed
    await runOwnGit(folder, ["update-index", "-q", "--refresh"], { target, timeoutMs: checkoutTimeoutMs }).catch(() => {
      // it fails when files differ, such as those of Git LFS, having written what it found
    });
    try {
      await runOwnGit(folder, ["read-tree", "-m", "-u", current, to], { target, timeoutMs: checkoutTimeoutMs });
    } catch (cause) {
      if (!(cause instanceof GitError) || !/would be overwritten|not uptodate|would be removed/.test(cause.stderr)) throw cause;
      throw new FilesInTheWayError({ code: "files-changed" }, { cause });
    }
  });
}

/**
 * Throws where a file that is to be made exists although the tree `from`, which has every file but ignored ones, does not have it: git
 * overwrites ignored files without asking.
 */
export async function assertNothingInTheWay(folder: GitFolder, { from, to }: { from: string; to: string }): Promise<void> {
  const output = await runOwnGit(folder, ["diff-tree", "-r", "-z", "--name-status", "--no-renames", from, to], {
    encoding: "latin1",
    maxBytes: 512 * 1024 * 1024,
  });
  const fields = output.split("\0");
  const added = fields.filter((_path, at) => at % 2 === 1 && fields[at - 1] === "A");
  if (added.length === 0) return;
  const known = await listEntries(folder, from);
  const folders = new Set([...known.keys()].flatMap(listAncestors));
  const inTheWay = new Set<string>();
  for (const path of added) {
    for (const place of [path, ...listAncestors(path)]) {
      if (known.has(place) || folders.has(place)) continue;
      const stats = await lstat(toFsPath(folder.directory, place)).catch(() => undefined);
      if (stats !== undefined && (place === path || !stats.isDirectory())) inTheWay.add(fromBytePath(place));
    }
  }
  if (inTheWay.size === 0) return;
  const names = [...inTheWay].slice(0, 10).join(", ");
  throw new FilesInTheWayError({ code: "files-in-the-way", directory: folder.directory, names });
}

/** The files that differ between two trees: names as git has them, a character is a byte. */
export async function listDifferences(folder: GitFolder, from: string, to: string): Promise<string[]> {
  const output = await runOwnGit(folder, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to], {
    encoding: "latin1",
    maxBytes: 512 * 1024 * 1024,
  });
  return output.split("\0").filter((path) => path !== "");
}

/** Throws where the folder holds anything but its last commit. Returns the tree of both. */
export async function assertCommitted(folder: GitFolder, baseCommit: string | null, head: string): Promise<string> {
  const [current, tree] = [await writeFolderTree(folder, baseCommit), await treeOf(folder, head)];
  if (current === tree) return tree;
  throw new GitObstacleError({ code: "uncommitted", files: (await listDifferences(folder, tree, current)).length });
}

/** The tree `tree` with the entries that `paths` have in `from`; those that `from` does not have are removed. Paths are bytes. */
export async function replacePaths(
  folder: GitFolder,
  input: { tree: string; from: string; paths: readonly string[]; index: string },
): Promise<string> {
  const { tree, from, paths, index } = input;
  const target = { index };
  await runOwnGit(folder, ["read-tree", tree], { target });
  const entries = await listEntries(folder, from);
  const none = "0".repeat(folder.objectFormat === "sha256" ? 64 : 40);
  const lines = paths.map((path) => `${entries.get(path) ?? `0 ${none}`}\t${path}\0`);
  await runOwnGit(folder, ["update-index", "--replace", "-z", "--index-info"], { target, input: lines.join(""), encoding: "latin1" });
  return writeTree(folder, index);
}

/** `mode id` of each file of a tree, by path in bytes. */
export async function listEntries(folder: GitFolder, tree: string): Promise<Map<string, string>> {
  const output = await runOwnGit(folder, ["ls-tree", "-r", "-z", "--full-tree", tree], { encoding: "latin1", maxBytes: 512 * 1024 * 1024 });
  const entries = new Map<string, string>();
  for (const entry of output.split("\0")) {
    const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (path !== undefined) entries.set(path, `${mode} ${id}`);
  }
  return entries;
}

export async function writeTree(folder: GitFolder, index: string | undefined): Promise<string> {
  return (await runOwnGit(folder, ["write-tree"], { target: index === undefined ? {} : { index } })).trim();
}

/** The tree of a commit. */
export async function treeOf(folder: GitFolder, commit: string): Promise<string> {
  return (await runOwnGit(folder, ["rev-parse", "--verify", `${commit}^{tree}`])).trim();
}

/** A name of the API as git has it: a character is a byte. */
export function toBytePath(path: string): string {
  return Buffer.from(path, "utf8").toString("latin1");
}

export function fromBytePath(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}
