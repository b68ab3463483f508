import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitTarget } from "./git-environment.ts";
import type { GitFolder } from "./git-folder.ts";

export interface Scratch {
  /** A writable copy of the folder's own index. */
  readonly index: string;
  /** Objects written with this target are discarded afterwards. */
  readonly target: Pick<GitTarget, "index" | "scratchObjects">;
}

/** Calls `work` with a copy of our index and a temporary object folder. */
export async function withScratch<T>(folder: GitFolder, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), "skein-index-"));
  try {
    const index = join(path, "index");
    const objects = join(path, "objects");
    await mkdir(objects);
    await copyIndex(join(folder.ownDir, "index"), index);
    const scratchObjects = { folder: objects, repositoryObjects: join(folder.commonDir, "objects") };
    return await work({ index, target: { index, scratchObjects } });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtimeMs } = await stat(from);
    await copyFile(from, to);
    // Git re-reads files that are as recent as their index. A copy with a new time would hide recent changes.
    await utimes(to, atime, Math.floor(mtimeMs) / 1000);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the base has no files
  }
}
