import type { Attempt } from "@skein/contracts";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import { getAttemptFolder } from "./attempt-folder.ts";
import type { HostedContext } from "./execution-context.ts";

/**
 * Prepares the Git LFS files of an attempt's worktree before its agent starts. Never rejects: an agent can work without them.
 * Downloads only if a signal is passed.
 */
export async function prepareLfsFiles(input: {
  context: HostedContext;
  gitLfs: GitLfsFiles;
  attempt: Attempt;
  signal?: AbortSignal;
}): Promise<PreparedLfs> {
  const { context, attempt, signal } = input;
  const nothing = { notices: [], wasTried: false };
  if (attempt.isolation === "in-place") return nothing;
  try {
    const folder = await getAttemptFolder(context, attempt);
    if (!(await context.host.workspaces.exists(folder))) return nothing;
    return await input.gitLfs.prepare({ attempt: folder, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    context.logger.error("Git LFS files could not be prepared", { attemptId: attempt.id, error });
    const why = error instanceof Error ? error.message : String(error);
    return { notices: [{ code: "lfs-not-placed", reason: why }], wasTried: true };
  }
}
