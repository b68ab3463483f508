import { basename } from "node:path";
import { ServiceError } from "@skein/engine";
import { type GitFolder, tryOwnGit } from "./git-folder.ts";
import { syncHead } from "./own-git-dir.ts";

export interface AttemptBase {
  branch: string | null;
  commit: string | null;
}

/** The branch and commit that an attempt starts from. Both are null in a repository without commits. */
export async function resolveBase(repository: GitFolder, wanted: string | undefined): Promise<AttemptBase> {
  await syncHead(repository);
  const branch = wanted ?? (await tryOwnGit(repository, ["symbolic-ref", "--short", "--quiet", "HEAD"]));
  const revision = wanted ?? headOf(repository);
  const commit = await tryOwnGit(repository, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  if (wanted !== undefined && commit === null) {
    throw new ServiceError("invalid", { code: "base-not-found", branch: wanted });
  }
  return { branch, commit };
}

/** Null if there are no commits. */
export async function resolveHead(folder: GitFolder): Promise<string | null> {
  await syncHead(folder);
  return tryOwnGit(folder, ["rev-parse", "--verify", "--quiet", `${headOf(folder)}^{commit}`]);
}

/** With reftable, the HEAD of a linked worktree is not a file. */
function headOf({ refFormat, gitDir, commonDir }: GitFolder): string {
  return refFormat === "reftable" && gitDir !== commonDir ? `worktrees/${basename(gitDir)}/HEAD` : "HEAD";
}
