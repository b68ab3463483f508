import { join } from "node:path";
import { contentHashSchema, type GitLfs, type Project, type ProjectId, projectIdSchema, timestampSchema } from "@skein/contracts";
import type { AttemptFolder, LfsFiles, LfsObstacle, Workspaces } from "@skein/host";
import { z } from "zod";
import { openTrustFile, TrustFileError } from "../data-dir/trust-file.ts";

const entrySchema = z.object({ projectId: projectIdSchema, hash: contentHashSchema, trustedAt: timestampSchema });

/** Files that Git LFS stores, and the servers that the user trusts to download them from. */
export interface GitLfsFiles {
  /** What the project's settings show. */
  describe(project: Project): Promise<GitLfs>;
  /** False when another server is named by now than the one that was shown. */
  trust(input: { project: Project; shown: string; at: number }): Promise<boolean>;
  /** False when nothing was trusted. */
  revoke(projectId: ProjectId): boolean;
  /**
   * Before an agent works in a worktree: puts the files in the place of their pointers. Downloads only with a `signal`, which
   * ends that.
   */
  prepare(input: { attempt: AttemptFolder; signal?: AbortSignal }): Promise<PreparedLfs>;
}

export interface PreparedLfs {
  /** What the user should know about files that are missing. */
  notices: string[];
  /** It was tried to download them: what failed is reported each time. */
  wasTried: boolean;
}

export function openGitLfsFiles({ home, workspaces }: { home: string; workspaces: Workspaces }): GitLfsFiles {
  const file = openTrustFile({
    path: join(home, "git-lfs-trust.json"),
    entry: entrySchema,
    isSame: (one, other) => one.projectId === other.projectId,
    nothing: "no server of Git LFS",
  });
  const findTrusted = (id: ProjectId): string | null => file.list().find(({ projectId }) => projectId === id)?.hash ?? null;

  return {
    async describe(project) {
      const { source, program } = await workspaces.describeLfs(project);
      const nothing = { files: [], changes: [], hash: null, url: null, program };
      if (source === null) return { ...nothing, isUsed: false, trust: "none" };
      if ("problem" in source) return { ...nothing, isUsed: true, trust: "none", problem: source.problem };
      const trusted = findTrusted(project.id);
      const trust = trusted === null ? "none" : trusted === source.hash ? "trusted" : "changed";
      return { ...nothing, isUsed: true, hash: source.hash, url: source.url, trust };
    },

    async trust({ project, shown, at }) {
      const { source } = await workspaces.describeLfs(project);
      if (source === null || "problem" in source || source.hash !== shown) return false;
      file.put({ projectId: project.id, hash: source.hash, trustedAt: at });
      return true;
    },

    revoke: (id) => file.remove(({ projectId }) => projectId === id),

    async prepare({ attempt, signal }) {
      const trustedHash = trustOrNone(() => findTrusted(attempt.project.id));
      const files = await workspaces.prepareLfs({ attempt, trustedHash, ...(signal === undefined ? {} : { signal }) });
      return { notices: toNotices(files), wasTried: files.wasTried };
    },
  };
}

/** The browser has these sentences in other languages: `server-sentences`. */
function toNotices({ missing, tooLarge, obstacle }: LfsFiles): string[] {
  const why = obstacle === undefined ? "Their content was not found, or does not match the pointers." : toReason(obstacle);
  return [
    ...(missing === 0 ? [] : [`Missing Git LFS files in this worktree: ${missing}. It has pointers in their place. ${why}`]),
    ...(tooLarge === 0
      ? []
      : [`Missing Git LFS files in this worktree: ${tooLarge}. It has pointers in their place, because the disk has no room for them.`]),
  ];
}

function toReason(obstacle: LfsObstacle): string {
  switch (obstacle.kind) {
    case "unusable-source":
      return obstacle.problem;
    case "not-trusted":
      return "To download them, trust Git LFS in the project's settings, or run “git lfs fetch” in the repository; then send a message.";
    case "changed":
      return `They would now come from ${obstacle.url}, which you have not trusted. Review Git LFS in the project's settings.`;
    case "no-program":
      return "The program git-lfs was not found. Install it, then send a message.";
    case "download-failed":
      return `git-lfs could not download them: ${obstacle.message}`;
  }
}

/** A trust file that cannot be read trusts nothing. */
function trustOrNone(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrustFileError) return null;
    throw error;
  }
}
