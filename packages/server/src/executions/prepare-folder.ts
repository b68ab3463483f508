import type { Attempt, Project } from "@skein/contracts";
import { restoreWorktree } from "../git/worktrees.ts";
import { forgetSetup, prepareWorktree } from "../repository/prepare-worktree.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { Preamble } from "../runner/preamble.ts";
import type { ExecutionContext } from "./execution-context.ts";
import type { PreparedExecution } from "./prepare-execution.ts";

/** The attempt's folder is there and complete when the agent starts, or there is a `ServiceError` that says what to do. */
export async function prepareFolder(input: {
  context: ExecutionContext;
  home: string;
  repositoryTrust: RepositoryTrust;
  prepared: PreparedExecution;
}): Promise<{ preamble: Preamble; trustsRepositorySettings: boolean }> {
  const { home, repositoryTrust: trust, prepared } = input;
  const { attempt, execution } = prepared;
  const project = await getProject(input.context, attempt);
  const isRestored = await restoreWorktree({ repository: project.path, directory: attempt.directory, branch: attempt.branch });
  if (isRestored) await forgetSetup(home, attempt.id);
  const { notices, setup } = await prepareWorktree({ home, project, attempt, trust, isFirstExecution: execution.number === 1 });
  const restored = `The folder of this attempt was missing. It has been made again from its branch ${attempt.branch}, without what was not committed.`;
  return {
    preamble: { notices: isRestored ? [restored, ...notices] : notices, ...(setup === undefined ? {} : { setup }) },
    trustsRepositorySettings: await trust.trustsAgentSettings(project, attempt.directory),
  };
}

async function getProject({ storage }: ExecutionContext, { taskId }: Attempt): Promise<Project> {
  const task = await storage.read.findTask({ id: taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  if (project === undefined) throw new Error("The task of this attempt was deleted.");
  return project;
}
