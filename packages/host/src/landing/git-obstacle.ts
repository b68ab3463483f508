import type { GitObstacleText } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { GitFolder } from "../git/git-folder.ts";
import { openBase } from "../git/snapshot.ts";

/** What keeps an operation from being done. */
export class GitObstacleError extends ServiceError {
  constructor(text: GitObstacleText, options: { command?: string; cause?: unknown } = {}) {
    super("conflict", text, options);
  }
}

/**
 * Our git runs no filters: contents would be committed instead of pointers, and pointers written instead of contents. Throws where the
 * base of the folder has files that Git LFS stores.
 */
export async function refuseLfs(folder: GitFolder, baseCommit: string | null): Promise<void> {
  if ((await openBase(folder, baseCommit)).lfs) throw new GitObstacleError({ code: "uses-lfs", directory: folder.directory });
}
