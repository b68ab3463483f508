import { existsSync } from "node:fs";
import type { Attempt, Project } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import type { GitFolders } from "../git/git-folders.ts";
import { findBase } from "../git/own-git-dir.ts";
import { restoreWorktree } from "../git/worktrees.ts";
import { nameFiles } from "../repository/covered-files.ts";
import { forgetSetup, prepareWorktree } from "../repository/prepare-worktree.ts";
import type { JudgedAgentSettings, RepositoryTrust } from "../repository/repository-trust.ts";
import type { Preamble } from "../runner/preamble.ts";
import { ServiceError } from "../services/service-error.ts";
import type { ExecutionContext } from "./execution-context.ts";
import type { PreparedExecution } from "./prepare-execution.ts";

/** The attempt's folder is there and complete when the agent starts, or there is a `ServiceError` that says what to do. */
export async function prepareFolder(input: {
  context: ExecutionContext;
  home: string;
  repositoryTrust: RepositoryTrust;
  gitFolders: GitFolders;
  adapter: Pick<AgentAdapter, "id">;
  prepared: PreparedExecution;
}): Promise<{ preamble: Preamble; trustsRepositorySettings: boolean }> {
  const { home, repositoryTrust: trust, prepared } = input;
  const { attempt, execution } = prepared;
  const project = await getProject(input.context, attempt);
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
  const lfs = isFirstExecution && setup === undefined && (await hasPointers(input.gitFolders, attempt)) ? [lfsNotice] : [];
  const all = [...(isRestored ? [restored] : []), ...lfs, ...notices, ...(isReported ? [toSettingsNotice(settings)] : [])];
  return { preamble: { notices: all, ...(setup === undefined ? {} : { setup }) }, trustsRepositorySettings: settings.areTrusted };
}

const lfsNotice =
  "This repository stores files with Git LFS. Skein does not run its filter, so this worktree has pointers in their place. To get the files, put “git lfs pull” into the setup script in .skein/project.json and trust it.";

/** Whether files that Git LFS stores were checked out as their pointers. */
async function hasPointers(gitFolders: GitFolders, attempt: Attempt): Promise<boolean> {
  if (attempt.isolation === "in-place") return false;
  return (await findBase(await gitFolders.ofAttempt(attempt)))?.lfs ?? false;
}

/** True when it was missing. */
async function restoreFolder(gitFolders: GitFolders, project: Project, attempt: Attempt): Promise<boolean> {
  if (existsSync(attempt.directory)) return false;
  const repository = await gitFolders.ofProject(project).catch((cause: unknown) => {
    const message = `The folder ${project.path} is gone. Put it back, or delete the project.`;
    throw new ServiceError("conflict", "folder-gone", message, { cause });
  });
  return restoreWorktree({ ...attempt, repository, ownDir: gitFolders.ownDir(attempt.id) });
}

const noSettings: JudgedAgentSettings = { areTrusted: false, untrusted: [], wereTrusted: false };

function toSettingsNotice({ untrusted, wereTrusted }: JudgedAgentSettings): string {
  const what = wereTrusted ? "settings for agents that are not as you trusted them" : "settings for agents that you have not trusted";
  return `This repository has ${what} (${nameFiles(untrusted)}): the agent was started without them. Review them in the project's settings.`;
}

async function getProject({ storage }: ExecutionContext, { taskId }: Attempt): Promise<Project> {
  const task = await storage.read.findTask({ id: taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  if (project === undefined) throw new Error("The task of this attempt was deleted.");
  return project;
}
