import { existsSync, lstatSync } from "node:fs";
import { type Attempt, type Project, ServiceError } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import { type Preamble, restoreWorktree } from "@skein/host";
import type { GitFolders } from "../git/git-folders.ts";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import { nameFiles } from "../repository/covered-files.ts";
import { forgetSetup, prepareWorktree } from "../repository/prepare-worktree.ts";
import type { JudgedAgentSettings, RepositoryTrust } from "../repository/repository-trust.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { getProjectOf } from "./get-project-of.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { prepareLfsFiles } from "./prepare-lfs-files.ts";

/** The attempt's folder is there and complete when the agent starts, or there is a `ServiceError` that says what to do. */
export async function prepareFolder(input: {
  context: ExecutionContext;
  home: string;
  repositoryTrust: RepositoryTrust;
  gitFolders: GitFolders;
  gitLfs: GitLfsFiles;
  /** What was done about files of Git LFS before. */
  lfs: PreparedLfs;
  adapter: Pick<AgentAdapter, "id">;
  prepared: PreparedExecution;
}): Promise<{ preamble: Preamble; trustsRepositorySettings: boolean; trustedFiles: string[] }> {
  const { home, repositoryTrust: trust, prepared } = input;
  const { attempt, execution } = prepared;
  const project = await getProjectOf(input.context, attempt);
  const isRestored = await restoreFolder(input.gitFolders, project, attempt);
  if (isRestored) await forgetSetup(home, attempt.id);
  const isFirstExecution = execution.number === 1;
  const { notices, setup } = await prepareWorktree({ home, project, attempt, trust, isFirstExecution });
  const restored = `The folder of this attempt was missing. It has been made again from its branch ${attempt.branch}, without what was not committed.`;
  const agent = input.adapter.id;
  // Skein's own agent reads none of them
  const settings = agent === "native" ? noSettings : await trust.judgeAgentSettings({ project, directory: attempt.directory, agent });
  // what changed since it was trusted is reported with every message
  const isReported = (isFirstExecution || settings.wereTrusted) && settings.untrusted.length > 0;
  const lfs = isRestored ? await prepareLfsFiles({ ...input, attempt }) : input.lfs;
  // a setup script may get them
  const lfsNotices = setup === undefined && (isFirstExecution || lfs.wasTried) ? lfs.notices : [];
  const shared = await findSharedFolder(input.context, prepared);
  const all = [
    ...(isRestored ? [restored] : []),
    ...shared,
    ...lfsNotices,
    ...notices,
    ...(isReported ? [toSettingsNotice(settings)] : []),
  ];
  return {
    preamble: { notices: all, ...(setup === undefined ? {} : { setup }) },
    trustsRepositorySettings: settings.areTrusted,
    trustedFiles: settings.trusted,
  };
}

/** Two agents that work in the user's own folder at once see each other's half-done changes. They may: it is the user's choice. */
async function findSharedFolder({ storage }: ExecutionContext, { attempt, execution }: PreparedExecution): Promise<string[]> {
  if (attempt.isolation !== "in-place") return [];
  for (const { id, attemptId } of await storage.read.listRunningExecutions()) {
    const other = id === execution.id ? undefined : await storage.read.findAttempt({ id: attemptId });
    if (other?.isolation !== "in-place" || other.directory !== attempt.directory) continue;
    const task = await storage.read.findTask({ id: other.taskId });
    const which = `attempt ${other.number} of “${task?.title ?? "another task"}”`;
    return [`Another agent works in this folder at the same time (${which}): each can overwrite the other's changes.`];
  }
  return [];
}

/** True when it was missing. A link in its place would lead every tool of the agent out of the folder (X10). */
async function restoreFolder(gitFolders: GitFolders, project: Project, attempt: Attempt): Promise<boolean> {
  if (attempt.isolation === "worktree" && lstatSync(attempt.directory, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const message = `The folder ${attempt.directory} was replaced by a link, so the agent was not started. Remove the link, then send a message: the folder is restored from the branch ${attempt.branch}.`;
    throw new ServiceError("conflict", "folder-replaced", message);
  }
  if (existsSync(attempt.directory)) return false;
  const repository = await gitFolders.ofProject(project).catch((cause: unknown) => {
    const message = `The folder ${project.path} is gone. Restore it, or delete the project.`;
    throw new ServiceError("conflict", "folder-gone", message, { cause });
  });
  return restoreWorktree({ ...attempt, repository, ownDir: gitFolders.ownDir(attempt.id) });
}

const noSettings: JudgedAgentSettings = { areTrusted: false, trusted: [], untrusted: [], wereTrusted: false };

function toSettingsNotice({ untrusted, wereTrusted }: JudgedAgentSettings): string {
  const what = wereTrusted ? "settings for agents that are not as you trusted them" : "settings for agents that you have not trusted";
  return `This repository has ${what} (${nameFiles(untrusted)}): the agent was started without them. Review them in the project's settings.`;
}
