import { join } from "node:path";
import {
  contentHashSchema,
  type GitLfs,
  type NoticeText,
  type Project,
  type ProjectId,
  projectIdSchema,
  timestampSchema,
} from "@skein/contracts";
import type { AttemptFolder, LfsFiles, LfsObstacle, Workspaces } from "@skein/host";
import { z } from "zod";
import { openTrustFile, TrustFileError } from "../data-dir/trust-file.ts";
import { toProblemFields } from "../repository/to-problem-fields.ts";

const entrySchema = z.object({ projectId: projectIdSchema, hash: contentHashSchema, trustedAt: timestampSchema });

/** Git LFS files, and the servers that the user trusts to download them from. */
export interface GitLfsFiles {
  /** For the project's settings page. */
  describe(project: Project): Promise<GitLfs>;
  /** Returns false if the repository now names another server than the one shown. */
  trust(input: { project: Project; shown: string; at: number }): Promise<boolean>;
  /** Returns false if nothing was trusted. */
  revoke(projectId: ProjectId): boolean;
  /**
   * Replaces LFS pointers in a worktree by their contents before an agent starts. Downloads only with a `signal`, which cancels the
   * download.
   */
  prepare(input: { attempt: AttemptFolder; signal?: AbortSignal }): Promise<PreparedLfs>;
}

export interface PreparedLfs {
  /** Notices for the user about missing files. */
  notices: NoticeText[];
  /** A download was attempted; its failures are reported each time. */
  wasTried: boolean;
}

export function openGitLfsFiles({ home, workspaces }: { home: string; workspaces: Workspaces }): GitLfsFiles {
  const file = openTrustFile({
    path: join(home, "git-lfs-trust.json"),
    entry: entrySchema,
    toSubject: ({ projectId }) => projectId,
  });
  const findTrusted = (id: ProjectId): string | null => file.list().find(({ projectId }) => projectId === id)?.hash ?? null;

  return {
    async describe(project) {
      const { source, program } = await workspaces.describeLfs(project);
      const nothing = { files: [], changes: [], hash: null, url: null, program };
      if (source === null) return { ...nothing, isUsed: false, trust: "none" };
      if ("problem" in source)
        return { ...nothing, isUsed: true, trust: "none", ...toProblemFields({ code: sourceProblems[source.problem] }) };
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
      const cancel = (): void => void workspaces.cancelLfsDownload({ id: attempt.id });
      const prepared = workspaces.prepareLfs({ attempt, trustedHash, download: signal !== undefined });
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel);
      const files = await prepared.finally(() => signal?.removeEventListener("abort", cancel));
      return { notices: toNotices(files), wasTried: files.wasTried };
    },
  };
}

function toNotices({ missing, tooLarge, obstacle }: LfsFiles): NoticeText[] {
  return [
    ...(missing === 0 ? [] : [toNotice(missing, obstacle)]),
    ...(tooLarge === 0 ? [] : [{ code: "lfs-no-room", count: tooLarge } as const]),
  ];
}

function toNotice(count: number, obstacle: LfsObstacle | undefined): NoticeText {
  switch (obstacle?.kind) {
    case undefined:
      return { code: "lfs-not-found", count };
    case "unusable-source":
      return { code: `lfs-${obstacle.problem}`, count };
    case "not-trusted":
      return { code: "lfs-not-trusted", count };
    case "changed":
      return { code: "lfs-moved", count, address: obstacle.url };
    case "no-program":
      return { code: "lfs-no-program", count };
    case "download-failed":
      return { code: "lfs-failed", count, said: obstacle.message };
  }
}

/** For the project's settings page. */
const sourceProblems = { "no-server": "lfs-server-missing", "no-protocol": "lfs-protocol-unsupported" } as const;

/** An unreadable trust file trusts nothing. */
function trustOrNone(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TrustFileError) return null;
    throw error;
  }
}
