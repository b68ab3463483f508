import { join } from "node:path";
import { findProgram } from "@skein/agents/programs";
import { contentHashSchema, type GitLfs, type Project, type ProjectId, projectIdSchema, timestampSchema } from "@skein/contracts";
import {
  type FoundLfsSource,
  fetchLfsObjects,
  findBase,
  findLfsSource,
  type GitFolder,
  type LfsSource,
  listLfsFiles,
  openBase,
  type PlacedLfsFiles,
  placeLfsFiles,
  resolveHead,
} from "@skein/host";
import { z } from "zod";
import { openTrustFile, TrustFileError } from "../data-dir/trust-file.ts";

const entrySchema = z.object({ projectId: projectIdSchema, hash: contentHashSchema, trustedAt: timestampSchema });

/**
 * Files that Git LFS stores. Those whose content is in the repository's own store are put into a worktree without running
 * anything. Others are downloaded by the user's own git-lfs, from the server that the user trusts for the project.
 */
export interface GitLfsFiles {
  /** What the project's settings show. */
  describe(project: Project, repository: GitFolder): Promise<GitLfs>;
  /** False when another server is named by now than the one that was shown. */
  trust(input: { project: Project; repository: GitFolder; shown: string; at: number }): Promise<boolean>;
  /** False when nothing was trusted. */
  revoke(projectId: ProjectId): boolean;
  /**
   * Before an agent works in a worktree: puts the files in the place of their pointers. Downloads only with a `signal`, which
   * ends that.
   */
  prepare(input: { project: Project; folder: GitFolder; baseCommit: string | null; signal?: AbortSignal }): Promise<PreparedLfs>;
}

export interface PreparedLfs {
  /** What the user should know about files that are missing. */
  notices: string[];
  /** It was tried to download them: what failed is reported each time. */
  wasTried: boolean;
}

export function openGitLfsFiles({ home, searchPath }: { home: string; searchPath: string | undefined }): GitLfsFiles {
  const file = openTrustFile({
    path: join(home, "git-lfs-trust.json"),
    entry: entrySchema,
    isSame: (one, other) => one.projectId === other.projectId,
    nothing: "no server of Git LFS",
  });
  const stateOf = ({ id }: Project, hash: string): GitLfs["trust"] => {
    const entry = file.list().find(({ projectId }) => projectId === id);
    if (entry === undefined) return "none";
    return entry.hash === hash ? "trusted" : "changed";
  };
  /** Worktrees, by our git dir, whose files are all in their places: they are not looked through again. */
  const complete = new Set<string>();
  const findLfs = () => findProgram("git-lfs", searchPath);

  async function findSource(repository: GitFolder): Promise<FoundLfsSource | undefined> {
    const head = await resolveHead(repository);
    if (head === null) return undefined;
    const { lfs } = await openBase(repository, head, { refresh: false });
    return lfs ? findLfsSource(repository, head) : undefined;
  }

  /** What keeps the files from being downloaded, or what to download from. */
  async function judge(project: Project, folder: GitFolder, baseCommit: string): Promise<LfsOrder | { failure: string }> {
    // what an agent has committed since does not decide where files come from
    const source = await findLfsSource(folder, baseCommit);
    if ("problem" in source) return { failure: source.problem };
    const state = trustOrNone(() => stateOf(project, source.hash));
    if (state === "none") return { failure: notTrusted };
    if (state === "changed") {
      return { failure: `They would now come from ${source.shown}, which you have not trusted. Review Git LFS in the project's settings.` };
    }
    const program = findLfs();
    return program === undefined ? { failure: "The program git-lfs was not found. Install it, then send a message." } : { source, program };
  }

  return {
    async describe(project, repository) {
      const source = await findSource(repository);
      const nothing = { files: [], changes: [], hash: null, url: null, program: findLfs() ?? null };
      if (source === undefined) return { ...nothing, isUsed: false, trust: "none" };
      if ("problem" in source) return { ...nothing, isUsed: true, trust: "none", problem: source.problem };
      return { ...nothing, isUsed: true, hash: source.hash, url: source.shown, trust: stateOf(project, source.hash) };
    },

    async trust({ project, repository, shown, at }) {
      const source = await findSource(repository);
      if (source === undefined || "problem" in source || source.hash !== shown) return false;
      file.put({ projectId: project.id, hash: source.hash, trustedAt: at });
      return true;
    },

    revoke: (id) => file.remove(({ projectId }) => projectId === id),

    async prepare({ project, folder, baseCommit, signal }) {
      const nothing = { notices: [], wasTried: false };
      if (signal !== undefined && complete.has(folder.ownDir)) return nothing;
      const commit = (await findBase(folder))?.lfs ? await resolveHead(folder) : null;
      if (commit === null || baseCommit === null) return nothing;
      const files = await listLfsFiles(folder, commit);
      const placed = await placeLfsFiles(folder, files);
      complete.add(folder.ownDir);
      if (placed.missing === 0) return { notices: toNotices(placed), wasTried: false };
      complete.delete(folder.ownDir);
      const order = await judge(project, folder, baseCommit);
      if ("failure" in order) return { notices: toNotices(placed, order.failure), wasTried: false };
      if (signal === undefined) return nothing;
      const failure = await fetchLfsObjects({ folder, commit, signal, ...order });
      if (failure !== undefined) return { notices: toNotices(placed, `git-lfs could not download them: ${failure}`), wasTried: true };
      return { notices: toNotices(await placeLfsFiles(folder, files)), wasTried: true };
    },
  };
}

interface LfsOrder {
  source: LfsSource;
  program: string;
}

const notTrusted =
  "To download them, trust Git LFS in the project's settings, or run “git lfs fetch” in the repository; then send a message.";

/** The browser has these sentences in other languages: `server-sentences`. */
function toNotices({ missing, tooLarge }: PlacedLfsFiles, why = "Their content was not found, or does not match the pointers."): string[] {
  return [
    ...(missing === 0 ? [] : [`Missing Git LFS files in this worktree: ${missing}. It has pointers in their place. ${why}`]),
    ...(tooLarge === 0
      ? []
      : [`Missing Git LFS files in this worktree: ${tooLarge}. It has pointers in their place, because the disk has no room for them.`]),
  ];
}

/** A trust file that cannot be read trusts nothing. */
function trustOrNone(read: () => GitLfs["trust"]): GitLfs["trust"] {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrustFileError) return "none";
    throw error;
  }
}
