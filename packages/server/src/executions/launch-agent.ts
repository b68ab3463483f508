import {
  type Attempt,
  findStorageFault,
  type GeneralSettings,
  type MessageText,
  type NoticeText,
  type PermissionGrant,
  type RunningExecution,
  type StoredMessage,
} from "@skein/contracts";
import { type AgentAdapter, AgentUnusableError, type LaunchContext, ServiceError } from "@skein/engine";
import type { AgentExit, Executions } from "@skein/host";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import type { McpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import { nameFiles } from "../repository/covered-files.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { ExecutionContext, HostedContext } from "./execution-context.ts";
import { findOwnMessage } from "./find-own-message.ts";
import { findRetryPoint } from "./find-retry-point.ts";
import { listSystemPrompts } from "./list-system-prompts.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { prepareFolder } from "./prepare-folder.ts";
import { toResourceLimits, toSandboxHosts } from "./project-limits.ts";
import { findProjectOf } from "./project-of.ts";
import { type History, openHistory, toHistoryPieces } from "./read-history.ts";
import type { TreeRecorder } from "./tree-recorder.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

/** What every launch needs of the server. */
export interface LaunchDependencies {
  context: HostedContext;
  mcpServers: McpServerRegistry;
  repositoryTrust: RepositoryTrust;
  gitLfs: GitLfsFiles;
  /** Read at each start of an agent. */
  readGeneral(): Pick<GeneralSettings, "systemPrompt" | "sandbox" | "resources">;
  /** Keys of the project and of the user who sent the message; only with users. */
  findKeys?(execution: RunningExecution): Promise<Record<string, string>>;
  /** How an agent that may use Skein connects to it. */
  connectAgent?: ConnectAgent;
}

/**
 * Starts the runner, which starts the agent. A failure is written like an agent's exit, so that it is settled like every other end; it
 * is also returned, because writing may fail. Throws machine faults: then nothing was started, and the launch can be retried.
 */
export async function launchAgent(
  input: LaunchDependencies & {
    adapter: AgentAdapter;
    lfs: PreparedLfs;
    trees: Pick<TreeRecorder, "recordStart">;
    prepared: PreparedExecution;
  },
): Promise<AgentExit | undefined> {
  const { context, adapter, prepared } = input;
  const { executions } = context.host;
  const { execution, attempt } = prepared;
  const { id } = execution;
  const paths = await executions.prepare({ id }).catch((error: unknown) => {
    // the host was removed
    if (error instanceof ServiceError && !isWaitingForHost(error)) return error;
    throw error;
  });
  if (paths instanceof ServiceError) return abandon(executions, execution, paths);
  try {
    const { preamble, trustsRepositorySettings, trustedFiles } = await prepareFolder(input);
    // alongside the rest of the preparation
    const recorded = input.trees.recordStart(attempt, id);
    const history = await openHistory(context, attempt);
    const own = await findOwnMessage(context.storage.read, execution);
    if (own !== undefined) await writeOrigin(context, execution, own);
    const skein = await connect(input, prepared);
    const project = await findProjectOf(context.storage.read, attempt);
    const general = input.readGeneral();
    const launch = await adapter.createLaunch({
      attempt,
      executionId: execution.id,
      message: prepared.message,
      ...(own === undefined ? {} : { messageId: own.id }),
      images: prepared.images,
      ...(await provideHistory(executions, { adapter, execution, history, file: paths.history })),
      compression: history.compression,
      grants: await listGrants(context, attempt),
      systemPrompts: await listSystemPrompts(context.storage.read, attempt, general),
      log: paths.log,
      ...(await findFork(context, attempt)),
      ...(await findRetryPoint({ context, adapter, prepared, own })),
      environment: context.host.environment,
      ...(input.findKeys === undefined ? {} : { keys: await input.findKeys(execution) }),
      ...(await findProgram(context, attempt)),
      ...((await context.spending?.isOn()) ? { asksBeforeCalls: true } : {}),
      ...skein,
      ...(attempt.sandbox === "workspace" ? { sandbox: { hosts: toSandboxHosts(general, project?.id) } } : {}),
      trustsRepositorySettings,
      trustedFiles,
      ...(adapter.capabilities.takesMcpServers ? await resolveMcpServers(context, input.mcpServers, prepared) : {}),
    });
    await recorded;
    await executions.launch({ id, launch, preamble, resources: toResourceLimits(general, project?.id) });
    return undefined;
  } catch (error) {
    if (isWaitingForHost(error)) throw error;
    context.logger.error("agent could not be started", { executionId: execution.id, error });
    if (mayPass(error) && !(await executions.isClaimed({ id }))) throw error;
    return abandon(executions, execution, error);
  }
}

/** How an agent that may use Skein connects to it; undefined if it may not. */
export type ConnectAgent = (
  prepared: Pick<PreparedExecution, "execution" | "attempt">,
  options: { name: string },
) => Promise<LaunchContext["skein"]>;

async function connect(
  { adapter, connectAgent }: { adapter: AgentAdapter; connectAgent?: ConnectAgent },
  prepared: PreparedExecution,
): Promise<Pick<LaunchContext, "skein">> {
  const skein = await connectAgent?.(prepared, { name: adapter.name });
  return skein === undefined ? {} : { skein };
}

/** The agent's programs on another host. */
async function findProgram({ host }: HostedContext, { agent, hostId }: Attempt): Promise<Pick<LaunchContext, "program">> {
  return hostId ? { program: await host.agents.getProgram({ agent, hostId }) } : {};
}

async function provideHistory(
  executions: Executions,
  { adapter, execution, history, file }: { adapter: AgentAdapter; execution: RunningExecution; history: History; file: string },
): Promise<Pick<LaunchContext, "history" | "historyFile">> {
  if (adapter.capabilities.readsHistoryFile) {
    await executions.writeHistory({ id: execution.id, pieces: toHistoryPieces({ history, without: execution.id }) });
    return { history: [], historyFile: file };
  }
  const messages = await history.listTranscribed();
  return { history: messages.filter((message) => message.executionId !== execution.id) };
}

/** Written before the agent exists: from its first line on, the log can be recovered if the database is lost. */
async function writeOrigin({ storage, host }: HostedContext, execution: RunningExecution, message: StoredMessage): Promise<void> {
  const attempt = await storage.read.findAttempt({ id: execution.attemptId });
  const task = await storage.read.findTask({ id: execution.taskId });
  const project = task && (await storage.read.findProject({ id: task.projectId }));
  if (attempt === undefined || task === undefined || project === undefined) return;
  await host.executions.writeOrigin({ version: 1, project, task, attempt, execution, message });
}

/**
 * Not for a fork, and only if the source has not continued since: its session would contain more than the attempt. And only in the same folder: a session
 * cannot be rewritten, and an agent that finds paths of another folder in it works there (E11).
 */
async function findFork({ storage }: ExecutionContext, attempt: Attempt): Promise<Pick<LaunchContext, "forkFrom">> {
  if (attempt.sessionId !== null || attempt.continuedFrom === null || attempt.forkedFrom !== undefined) return {};
  const source = await storage.read.findAttempt({ id: attempt.continuedFrom });
  if (source === undefined || source.agent !== attempt.agent || source.sessionId === null) return {};
  if (source.directory !== attempt.directory) return {};
  const executions = await storage.read.listExecutions({ attemptId: source.id });
  const isSettled = executions.every((one) => one.status !== "running" && one.endedAt <= attempt.createdAt);
  return isSettled ? { forkFrom: source.sessionId } : {};
}

async function listGrants({ storage }: ExecutionContext, { taskId }: Attempt): Promise<PermissionGrant[]> {
  const task = await storage.read.findTask({ id: taskId });
  const grants = task === undefined ? [] : await storage.read.listGrants({ projectId: task.projectId });
  return grants.map(({ grant }) => grant);
}

/**
 * Untrusted servers are left out. New ones are reported once, in the first execution of an attempt; servers with changed files in
 * every execution, because the agent works without them from one message to the next.
 */
async function resolveMcpServers(
  { storage }: ExecutionContext,
  mcpServers: McpServerRegistry,
  { attempt, execution }: PreparedExecution,
): Promise<Pick<LaunchContext, "mcpServers" | "notices">> {
  const project = await findProjectOf(storage.read, attempt);
  if (project === undefined) return {};
  const { usable, needTrust, problems } = await mcpServers.resolve(project, attempt.directory);
  const edited = needTrust.filter(({ different }) => different.length > 0).map(toEditedNotice);
  const others = needTrust.filter(({ different }) => different.length === 0);
  const servers = others.map(({ name, reason }) => ({ name, isChanged: reason === "changed" }));
  const once: MessageText[] = servers.length === 0 ? problems : [...problems, { code: "mcp-servers-not-trusted", servers }];
  return { mcpServers: usable, notices: [...(execution.number === 1 ? once : []), ...edited] };
}

function toEditedNotice({ name, different }: { name: string; different: readonly string[] }): NoticeText {
  return { code: "mcp-server-edited", server: name, ...nameFiles(different) };
}

/** A missing permission is not transient: it ends the execution. */
function mayPass(error: unknown): boolean {
  const fault = findStorageFault(error);
  return fault !== undefined && fault !== "no-permission" && fault !== "damaged";
}

/** Problems that the user can fix are reported unchanged. */
function toStartFailure(error: unknown): Pick<AgentExit, "notStarted" | "startError"> {
  if (error instanceof ServiceError) return { notStarted: error.text };
  if (error instanceof AgentUnusableError) return { notStarted: error.hint };
  return { startError: error instanceof Error ? error.message : String(error) };
}

/** Undefined if a runner has claimed it: the agent did start, and is attached to as after a restart. */
async function abandon(executions: Executions, { id }: RunningExecution, error: unknown): Promise<AgentExit | undefined> {
  const exit: AgentExit = {
    exitCode: null,
    signal: null,
    endedAt: Date.now(),
    ...toStartFailure(error),
  };
  try {
    if (!(await executions.abandon({ id, exit }))) return undefined;
  } catch {
    // if the server restarts before this end is saved, it starts the agent again or finds it interrupted
  }
  return exit;
}
