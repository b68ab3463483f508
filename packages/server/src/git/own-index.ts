import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { blankFilters, type GitOptions, runGit } from "./run-git.ts";

/** Gives `work` a copy of the folder's index to fill: the agent's and the person's own stays as it is. */
export async function withOwnIndex<T>(directory: string, work: (own: GitOptions) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "skein-index-"));
  try {
    const index = join(scratch, "index");
    const [filters] = await Promise.all([blankFilters(directory), copyIndex(directory, index)]);
    return await work({ cwd: directory, environment: { GIT_INDEX_FILE: index }, filters });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function copyIndex(directory: string, target: string): Promise<void> {
  const path = (await runGit(["rev-parse", "--git-path", "index"], { cwd: directory })).trim();
  const index = isAbsolute(path) ? path : join(directory, path);
  try {
    const { atime, mtimeMs } = await stat(index);
    await copyFile(index, target);
    // Git looks again into files that are as young as their index. Of a copy from now on, nothing would seem young.
    await utimes(target, atime, Math.floor(mtimeMs) / 1000);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // nothing was ever staged
  }
}
