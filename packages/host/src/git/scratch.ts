import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitTarget } from "./git-environment.ts";
import type { GitFolder } from "./git-folder.ts";

export interface Scratch {
  /** A copy of the folder's own index, to be changed. */
  readonly index: string;
  /** Objects that are written with it are gone afterwards. */
  readonly target: Pick<GitTarget, "index" | "scratchObjects">;
}

/** Gives `work` a copy of our index of the folder, and a place for objects that nobody needs later. */
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
    // Git looks again into files that are as young as their index. Of a copy from now on, nothing would seem young.
    await utimes(to, atime, Math.floor(mtimeMs) / 1000);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the base has no files
  }
}
