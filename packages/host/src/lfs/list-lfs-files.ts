import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitFolder, runOwnGit } from "../git/git-folder.ts";
import type { LfsPointer } from "../git/lfs-pointer.ts";
import { listStagedFiles } from "../git/list-staged-files.ts";
import { readLfsPointers } from "../git/read-lfs-pointers.ts";
import { runGit } from "../git/run-git.ts";
import { withScratch } from "../git/scratch.ts";
import { createObjectsGitDir } from "./objects-git-dir.ts";

export interface LfsFile {
  /** One character per byte. */
  bytePath: string;
  pointer: LfsPointer;
}

const maxBytes = 512 * 1024 * 1024;

/** Files of a commit that are stored with Git LFS: the commit's attributes request it, and the blob is a pointer. Runs no filter. */
export function listLfsFiles(folder: GitFolder, commit: string): Promise<LfsFile[]> {
  return withScratch(folder, async ({ index }) => {
    await runOwnGit(folder, ["read-tree", commit], { target: { index } });
    const ids = await listStagedFiles(folder, index);
    const filtered = await listFiltered(folder, index, [...ids.keys()]);
    const pointers = await readLfsPointers(
      folder,
      filtered.map((path) => ids.get(path) ?? ""),
    );
    return filtered.flatMap((bytePath) => {
      const pointer = pointers.get(ids.get(bytePath) ?? "");
      return pointer === undefined ? [] : [{ bytePath, pointer }];
    });
  });
}

/** Paths with `filter=lfs` according to the attributes in the index. Uses a separate git dir, because ours overrides attributes. */
async function listFiltered(folder: GitFolder, index: string, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const gitDir = join(dirname(index), "attributes");
  await createObjectsGitDir(gitDir, folder);
  await copyFile(join(folder.ownDir, "config"), join(gitDir, "config"));
  const output = await runGit(["check-attr", "--cached", "-z", "--stdin", "filter"], {
    ...{ cwd: folder.directory, target: { gitDir, workTree: folder.directory, index } },
    ...{ input: `${paths.join("\0")}\0`, encoding: "latin1", maxBytes },
  });
  const fields = output.split("\0");
  return fields.flatMap((path, at) => (at % 3 === 0 && fields[at + 2] === "lfs" ? [path] : []));
}
