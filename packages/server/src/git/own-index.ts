import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type GitOptions, runGit } from "./run-git.ts";

/** Gives `work` a copy of the folder's index to fill: the agent's and the person's own stays as it is. */
export async function withOwnIndex<T>(directory: string, work: (own: GitOptions) => Promise<T>): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), "skein-index-"));
  try {
    const index = join(scratch, "index");
    await copyIndex(directory, index);
    return await work({ cwd: directory, environment: { GIT_INDEX_FILE: index } });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function copyIndex(directory: string, target: string): Promise<void> {
  const path = (await runGit(["rev-parse", "--git-path", "index"], { cwd: directory })).trim();
  await copyFile(isAbsolute(path) ? path : join(directory, path), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error; // nothing was ever staged
  });
}
