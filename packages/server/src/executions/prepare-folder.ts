import type { Attempt, NoticeText, Project } from "@skein/contracts";
import { type AgentAdapter, ServiceError } from "@skein/engine";
import type { Preamble } from "@skein/host";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import { nameFiles } from "../repository/covered-files.ts";
import { prepareWorktree } from "../repository/prepare-worktree.ts";
import type { JudgedAgentSettings, RepositoryTrust } from "../repository/repository-trust.ts";
import { toAttemptFolder } from "./attempt-folder.ts";
import type { HostedContext } from "./execution-context.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { prepareLfsFiles } from "./prepare-lfs-files.ts";
import { getProjectOf } from "./project-of.ts";

/** Makes sure that the attempt's folder exists and is complete. Throws a `ServiceError` that explains how to fix a problem. */
export async function prepareFolder(input: {
  context: HostedContext;
  repositoryTrust: RepositoryTrust;
  gitLfs: GitLfsFiles;
  /** Result of preparing Git LFS files. */
  lfs: PreparedLfs;
  adapter: Pick<AgentAdapter, "id" | "capabilities">;
  prepared: PreparedExecution;
}): Promise<{ preamble: Preamble; trustsRepositorySettings: boolean; trustedFiles: string[] }> {
  const { repositoryTrust: trust, prepared } = input;
  const { host } = input.context;
  const files = host.workspaces;
  const { attempt, execution } = prepared;
  const project = await getProjectOf(input.context.storage.read, attempt);
  const isRestored = await restoreFolder(input.context, project, attempt);
  if (isRestored) await files.forgetSetup({ id: attempt.id });
  const isFirstExecution = execution.number === 1;
  const { notices, setup } = await prepareWorktree({ host, project, attempt, trust, isFirstExecution });
  const restored: NoticeText = { code: "folder-restored", branch: attempt.branch ?? "" };
  const { id: agent, capabilities } = input.adapter;
  const settings = capabilities.readsRepositorySettings
    ? await trust.judgeAgentSettings({ project, directory: attempt.directory, agent })
    : noSettings;
  // content that changed since it was trusted is reported with every message
  const isReported = (isFirstExecution || settings.wereTrusted) && settings.untrusted.length > 0;
  const lfs = isRestored ? await prepareLfsFiles({ ...input, attempt }) : input.lfs;
  // a setup script may download them
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

/** Agents that share the user's own folder see each other's unfinished changes. This is allowed, with a notice. */
async function findSharedFolder({ storage }: HostedContext, { attempt, execution }: PreparedExecution): Promise<NoticeText[]> {
  if (attempt.isolation !== "in-place") return [];
  for (const { id, attemptId } of await storage.read.listRunningExecutions()) {
    const other = id === execution.id ? undefined : await storage.read.findAttempt({ id: attemptId });
    if (other?.isolation !== "in-place" || other.directory !== attempt.directory) continue;
    const task = await storage.read.findTask({ id: other.taskId });
    return [{ code: "shared-folder", attempt: other.number, ...(task === undefined ? {} : { task: task.title }) }];
  }
  return [];
}

/** Returns true if it was missing. */
async function restoreFolder({ host }: HostedContext, project: Project, attempt: Attempt): Promise<boolean> {
  const restored = await host.workspaces.restore(toAttemptFolder(attempt, project));
  if (restored === "replaced") {
    const branch = attempt.branch === null ? {} : { branch: attempt.branch };
    throw new ServiceError("conflict", { code: "folder-replaced", directory: attempt.directory, ...branch });
  }
  if (restored === "no-repository") throw new ServiceError("conflict", { code: "folder-gone", directory: project.path });
  return restored === "restored";
}

const noSettings: JudgedAgentSettings = { areTrusted: false, trusted: [], untrusted: [], wereTrusted: false };

function toSettingsNotice({ untrusted, wereTrusted }: JudgedAgentSettings): NoticeText {
  return { code: "agent-settings-not-used", state: wereTrusted ? "changed" : "untrusted", ...nameFiles(untrusted) };
}
