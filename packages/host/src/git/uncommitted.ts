import { existsSync } from "node:fs";
import { copyFile, lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { toFsPath } from "./byte-path.ts";
import { type GitFolder, runOwnGit } from "./git-folder.ts";
import { findMirror } from "./mirror.ts";
import { resolveHead } from "./resolve-base.ts";
import { runGit } from "./run-git.ts";
import { withScratch } from "./scratch.ts";

/**
 * Paths that differ from the last commit, including new ones. Ignored files and submodules do not count. If the repository is gone,
 * lists what differs from the attempt's base, which our index still has.
 */
export async function listUncommitted(folder: GitFolder): Promise<string[]> {
  if (!existsSync(folder.commonDir)) return listChangedSinceBase(folder);
  const mirror = await findMirror(folder);
  if (mirror !== undefined) return listDifferent(folder, mirror);
  return (await findUncommitted(folder)).map(({ path }) => path);
}

/** What the folder of a mirror had changed since its last commit. */
async function listDifferent(folder: GitFolder, { head, tree }: { head: string; tree: string }): Promise<string[]> {
  const output = await runOwnGit(folder, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", `${head}^{tree}`, tree]);
  return output.split("\0").filter((path) => path !== "");
}

/** Compares files with the index only: needs no objects of the repository. */
function listChangedSinceBase(folder: GitFolder): Promise<string[]> {
  return withScratch(folder, async ({ index }) => {
    const gitDir = join(dirname(index), "git");
    await mkdir(join(gitDir, "refs"), { recursive: true });
    await mkdir(join(gitDir, "objects"));
    await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/skein-none\n");
    for (const name of ["config", "info/exclude", "info/attributes"]) await copyOwn(folder, name, gitDir);
    const which = ["ls-files", "--others", "--modified", "--deleted", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
    const target = { gitDir, workTree: folder.directory, index };
    const output = await runGit(which, { cwd: folder.directory, target });
    return [...new Set(output.split("\0").filter((path) => path !== ""))];
  });
}

async function copyOwn({ ownDir }: GitFolder, name: string, to: string): Promise<void> {
  await mkdir(dirname(join(to, name)), { recursive: true });
  await copyFile(join(ownDir, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** Paths that differ from the last commit, and whether each is gone from the folder. Needs the objects of the repository. */
export async function findUncommitted(folder: GitFolder): Promise<{ path: string; isGone: boolean }[]> {
  const head = await resolveHead(folder);
  return withScratch(folder, async ({ index }) => {
    const target = { index };
    await runOwnGit(folder, head === null ? ["read-tree", "--empty"] : ["read-tree", "-i", "-m", head], { target });
    const which = [
      "ls-files",
      "-t",
      "--others",
      "--modified",
      "--deleted",
      "--exclude-standard",
      "--directory",
      "--no-empty-directory",
      "-z",
    ];
    const output = await runOwnGit(folder, which, { target, encoding: "latin1" });
    const found = new Map<string, { path: string; isGone: boolean }>();
    for (const entry of output.split("\0")) {
      const path = entry.slice(2);
      if (path === "" || found.has(path)) continue;
      const stats = await lstat(toFsPath(folder.directory, path)).catch(() => undefined);
      // a submodule; a folder that replaced a file is listed separately
      if (stats?.isDirectory() && !entry.startsWith("? ")) continue;
      found.set(path, { path: Buffer.from(path, "latin1").toString("utf8"), isGone: stats === undefined });
    }
    return [...found.values()];
  });
}
