import { findProgram } from "@skein/agents/programs";
import type { GitFolder } from "../git/git-folder.ts";
import { findBase } from "../git/own-git-dir.ts";
import { resolveHead } from "../git/resolve-base.ts";
import { openBase } from "../git/snapshot.ts";
import { fetchLfsObjects } from "../lfs/fetch-lfs-objects.ts";
import { findLfsSource, type LfsSource } from "../lfs/find-lfs-source.ts";
import { listLfsFiles } from "../lfs/list-lfs-files.ts";
import { placeLfsFiles } from "../lfs/place-lfs-files.ts";
import type { LfsFiles, LfsObstacle, LfsState } from "../port/workspaces.ts";

/**
 * Git LFS files of worktrees. Contents in the repository's own store are copied without running a program. Others are downloaded by
 * the user's git-lfs, from the server that the user trusts for the project.
 */
export function createLfsFiles({ searchPath }: { searchPath: string | undefined }) {
  /** Worktrees (by our git dir) whose LFS files are complete; these are not checked again. */
  const complete = new Set<string>();
  const findLfs = () => findProgram("git-lfs", searchPath);

  async function findSource(repository: GitFolder): Promise<LfsState["source"]> {
    const head = await resolveHead(repository);
    if (head === null) return null;
    const { lfs } = await openBase(repository, head, { refresh: false });
    const source = lfs ? await findLfsSource(repository, head) : null;
    return source === null || "problem" in source ? source : { hash: source.hash, url: source.shown };
  }

  /** Returns what prevents a download, or the source to download from. */
  async function findLfsSourceOrObstacle(
    folder: GitFolder,
    baseCommit: string,
    trustedHash: string | null,
  ): Promise<{ source: LfsSource; program: string } | { obstacle: LfsObstacle }> {
    // the base decides: commits of an agent must not change the download source
    const source = await findLfsSource(folder, baseCommit);
    if ("problem" in source) return { obstacle: { kind: "unusable-source", problem: source.problem } };
    if (trustedHash === null) return { obstacle: { kind: "not-trusted" } };
    if (trustedHash !== source.hash) return { obstacle: { kind: "changed", url: source.shown } };
    const program = findLfs();
    return program === undefined ? { obstacle: { kind: "no-program" } } : { source, program };
  }

  return {
    describe: async (repository: GitFolder): Promise<LfsState> => ({ source: await findSource(repository), program: findLfs() ?? null }),

    async prepare(input: {
      folder: GitFolder;
      baseCommit: string | null;
      trustedHash: string | null;
      signal?: AbortSignal | undefined;
    }): Promise<LfsFiles> {
      const { folder, baseCommit, signal } = input;
      const nothing: LfsFiles = { missing: 0, tooLarge: 0, wasTried: false };
      if (signal !== undefined && complete.has(folder.ownDir)) return nothing;
      const commit = (await findBase(folder))?.lfs ? await resolveHead(folder) : null;
      if (commit === null || baseCommit === null) return nothing;
      const files = await listLfsFiles(folder, commit);
      const placed = await placeLfsFiles(folder, files);
      complete.add(folder.ownDir);
      if (placed.missing === 0) return { ...placed, wasTried: false };
      complete.delete(folder.ownDir);
      const order = await findLfsSourceOrObstacle(folder, baseCommit, input.trustedHash);
      if ("obstacle" in order) return { ...placed, obstacle: order.obstacle, wasTried: false };
      if (signal === undefined) return nothing;
      const message = await fetchLfsObjects({ folder, commit, signal, ...order });
      if (message !== undefined) return { ...placed, obstacle: { kind: "download-failed", message }, wasTried: true };
      return { ...(await placeLfsFiles(folder, files)), wasTried: true };
    },
  };
}
