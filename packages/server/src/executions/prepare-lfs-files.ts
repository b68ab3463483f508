import { existsSync } from "node:fs";
import type { Attempt } from "@skein/contracts";
import type { GitFolders } from "../git/git-folders.ts";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { getProjectOf } from "./get-project-of.ts";

/**
 * The files that Git LFS stores, in the attempt's worktree, before its agent starts. Never rejects: an agent can work without
 * them. Without a signal nothing is downloaded.
 */
export async function prepareLfsFiles(input: {
  context: ExecutionContext;
  gitFolders: GitFolders;
  gitLfs: GitLfsFiles;
  attempt: Attempt;
  signal?: AbortSignal;
}): Promise<PreparedLfs> {
  const { context, attempt, signal } = input;
  const nothing = { notices: [], wasTried: false };
  if (attempt.isolation === "in-place" || !existsSync(attempt.directory)) return nothing;
  try {
    const project = await getProjectOf(context, attempt);
    const folder = await input.gitFolders.ofAttempt(attempt);
    const { baseCommit } = attempt;
    return await input.gitLfs.prepare({ project, folder, baseCommit, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    context.logger.error("Git LFS files could not be prepared", { attemptId: attempt.id, error });
    const why = error instanceof Error ? error.message : String(error);
    return { notices: [`Files that Git LFS stores could not be put into this worktree: ${why}`], wasTried: true };
  }
}
