import { existsSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type {
  AgentId,
  Approval,
  Attempt,
  AttemptId,
  ConversationMessage,
  ExecutionId,
  GeneralSettings,
  QueuedMessage,
  RunningExecution,
  StoredMessage,
  TaskId,
} from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import {
  type AgentExit,
  claimExecution,
  createExecutionFolder,
  createLanes,
  type ExecutionFolder,
  executionFolder,
  isRunnerAlive,
  signalProcess,
  untilAgentSpeaks,
  writeWhole,
} from "@skein/host";
import type { LaunchJournal } from "../data-dir/launch-journal.ts";
import type { GitFolders } from "../git/git-folders.ts";
import type { GitLfsFiles, PreparedLfs } from "../lfs/git-lfs.ts";
import type { McpServerRegistry } from "../mcp/create-mcp-server-registry.ts";
import type { RepositoryTrust } from "../repository/repository-trust.ts";
import type { Delivery } from "../services/services.ts";
import { type AttachedExecution, attachExecution } from "./attached-execution.ts";
import { createControlKeys } from "./control-keys.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { createExecutionFollower } from "./execution-follower.ts";
import { launchAgent } from "./launch-agent.ts";
import { type PreparedExecution, toMessageParts } from "./prepare-execution.ts";
import { prepareLfsFiles } from "./prepare-lfs-files.ts";
import { readRunnerIdentity } from "./runner-files.ts";
import { createTreeRecorder } from "./tree-recorder.ts";
import { createUnavailableAgent } from "./unavailable-agent.ts";

const firstRetryMs = 1000;
const longestRetryMs = 8000;

/** Runs prepared executions and follows every running one to its end. */
export interface ExecutionSupervisor {
  /** An agent that cannot start is an execution that failed; where the machine is the reason, it is tried again. */
  launch(prepared: PreparedExecution): Promise<void>;
  /** Attaches to what an earlier server left running, and settles what ended in between. */
  resume(): Promise<void>;
  /**
   * Looks for executions that are stored as running and that nobody follows: living ones are attached, the others settled (Q7);
   * and for tools that hang in those that are followed (T5).
   */
  reconcile(): Promise<void>;
  stop(id: ExecutionId): void;
  /** Resolves when it has ended and is saved, and what it left in its folder, too; at once when it is not running. */
  waitUntilSettled(id: ExecutionId): Promise<void>;
  answer(approval: Approval): void;
  /** Brings a waiting message to the agent at work. */
  steer(id: ExecutionId, waiting: QueuedMessage): void;
  /** Tells the agent at work on an attempt what it is to use and may do from now on. */
  changeSettings(attempt: Attempt): void;
  /** What is shown of the running execution of an attempt and is not committed. */
  liveMessages(attemptId: AttemptId): ConversationMessage[];
  /** Protocol messages of the running execution of an attempt that are not committed. */
  uncommittedMessages(attemptId: AttemptId): StoredMessage[];
  liveDeliveries(query: { taskId?: TaskId }): Delivery[];
  /** Stops following. Agents go on in their runners. */
  close(): Promise<void>;
}

export function createExecutionSupervisor(input: {
  context: ExecutionContext;
  home: string;
  findAdapter(agent: AgentId): AgentAdapter | undefined;
  mcpServers: McpServerRegistry;
  repositoryTrust: RepositoryTrust;
  gitFolders: GitFolders;
  gitLfs: GitLfsFiles;
  launches: LaunchJournal;
  /** How long a running tool may show no sign of life; 0: for ever. Asked with every look. */
  toolTimeoutMs?: () => number;
  /** Asked at each start of an agent. */
  readGeneral(): Pick<GeneralSettings, "systemPrompt">;
  /** Told of what kept an agent from being started. */
  explainFault?(error: unknown): Promise<unknown>;
}): ExecutionSupervisor {
  const { context, home, mcpServers, repositoryTrust, gitFolders, gitLfs, launches, readGeneral } = input;
  /** On their way to being attached. */
  const starting = new Map<ExecutionId, Promise<void>>();
  const attached = new Map<ExecutionId, AttachedExecution>();
  /** Stopped by a user of this server and not settled yet. */
  const stopping = new Set<ExecutionId>();
  /** Those whose agents cannot be started yet, between two tries, or whose files are being downloaded. */
  const waiting = new Map<ExecutionId, AbortController>();
  let closed = false;
  let reconciling: Promise<void> | undefined;

  /**
   * A start is the work of a whole core for a moment: fifty at once would keep everybody waiting, and start none of them sooner.
   * Most of that work is the agent's own, so that the lane is held until the agent has said something, for a while at most. One core
   * is left to the server and to agents that are at work.
   */
  const inStartLane = createLanes(Math.max(1, availableParallelism() - 1));
  const controlKeys = createControlKeys(home);
  const folderPath = (id: ExecutionId): string => join(home, "executions", id);
  const trees = createTreeRecorder({
    context,
    gitFolders,
    folder: join(home, "unrecorded"),
    hasBegun: (id) => existsSync(executionFolder(folderPath(id)).claim),
  });

  /** One owner for each execution: a second one would read its log and tell its events twice. */
  async function own(id: ExecutionId, work: () => Promise<void>): Promise<void> {
    if (attached.has(id)) return;
    const known = starting.get(id) ?? work().finally(() => starting.delete(id));
    starting.set(id, known);
    await known;
  }

  async function attach(execution: RunningExecution, attempt: Attempt, knownExit?: AgentExit): Promise<void> {
    if (closed) return;
    const adapter = input.findAdapter(attempt.agent) ?? createUnavailableAgent(attempt.agent);
    const folder = executionFolder(folderPath(execution.id));
    const position = await context.storage.read.getIngestPosition({ executionId: execution.id });
    const follower = await createExecutionFollower({ context, execution, attempt, adapter, folder, position });
    if (closed) return follower.close();
    const readControlKey = () => controlKeys.keyFor(execution.id);
    const isStopRequested = () => stopping.has(execution.id) || existsSync(folder.stopRequested);
    const one = attachExecution({ context, execution, adapter, folder, follower, readControlKey, knownExit, isStopRequested });
    attached.set(execution.id, one);
    trees.expect(execution.id);
    // before anybody else hears of its end: nobody may remove the folder, or write into it, until it is recorded
    one.settled.then(
      () => {
        if (!closed) void trees.record(attempt, execution.id);
      },
      () => {},
    );
    one.settled
      .finally(async () => {
        stopping.delete(execution.id);
        attached.delete(execution.id);
        await follower.close();
      })
      .then(
        (next) => {
          if (closed) return; // the agent works on, and may not have read its history yet
          // left by an agent that was killed before it had read it
          void rm(folder.history, { force: true }).catch(() => {});
          if (next !== undefined) launchInBackground(next);
        },
        // it has no owner now: the next look gives it one
        (error: unknown) => context.logger.error("execution could not be followed", { executionId: execution.id, error }),
      )
      .catch((error: unknown) => context.logger.error("execution could not be detached", { executionId: execution.id, error }));
  }

  function launch(prepared: PreparedExecution): Promise<void> {
    const { execution, attempt } = prepared;
    const adapter = input.findAdapter(attempt.agent) ?? createUnavailableAgent(attempt.agent);
    return own(execution.id, async () => {
      await trees.whenDone(attempt.id);
      // outside of the start lane: a download takes minutes
      const lfs = await untilStopped(execution.id, (signal) => prepareLfsFiles({ context, gitFolders, gitLfs, attempt, signal }));
      const exit = await launchWhenPossible(execution.id, () => launchInLane(prepared, adapter, lfs));
      if (existsSync(executionFolder(folderPath(execution.id)).claim)) launches.note(execution.id);
      await attach(execution, attempt, exit);
    });
  }

  /** Gives `work` a signal that a stop of the execution, or the end of the server, aborts. */
  async function untilStopped<T>(id: ExecutionId, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    waiting.set(id, controller);
    if (closed || stopping.has(id)) controller.abort();
    return work(controller.signal).finally(() => waiting.delete(id));
  }

  /** Resolves when the runner is there; the lane is taken for longer. */
  function launchInLane(prepared: PreparedExecution, adapter: AgentAdapter, lfs: PreparedLfs): Promise<AgentExit | undefined> {
    const { id } = prepared.execution;
    const launched = Promise.withResolvers<AgentExit | undefined>();
    inStartLane(async () => {
      const shared = { context, home, mcpServers, repositoryTrust, gitFolders, gitLfs, lfs, readGeneral };
      const exit = await launchAgent({ ...shared, folderPath: folderPath(id), adapter, prepared, controlKey: controlKeys.keyFor(id) });
      launched.resolve(exit);
      if (exit === undefined) await untilAgentSpeaks(executionFolder(folderPath(id)), () => closed);
    }).catch(launched.reject);
    return launched.promise;
  }

  /**
   * A machine that cannot start it now, for want of room for example, may be able to later: the message waits until then, or
   * until it is stopped.
   */
  async function launchWhenPossible(id: ExecutionId, start: () => Promise<AgentExit | undefined>): Promise<AgentExit | undefined> {
    for (let delayMs = firstRetryMs; !closed; delayMs = Math.min(delayMs * 2, longestRetryMs)) {
      if (stopping.has(id)) return { exitCode: null, signal: null, endedAt: context.now(), notStarted: "Stopped." };
      try {
        return await start();
      } catch (error) {
        context.logger.error("agent could not be started yet", { executionId: id, error });
        await input.explainFault?.(error);
      }
      const wakeUp = new AbortController();
      waiting.set(id, wakeUp);
      await wait(delayMs, undefined, { signal: wakeUp.signal, ref: false }).catch(() => {});
      waiting.delete(id);
    }
    return undefined;
  }

  function launchInBackground(prepared: PreparedExecution): void {
    launch(prepared).catch((error: unknown) => {
      // it has no owner now: the next look gives it one
      context.logger.error("execution could not be launched", { executionId: prepared.execution.id, error });
    });
  }

  /** On disk, so that the next server knows it too. Never rejects. */
  async function rememberStop(id: ExecutionId): Promise<void> {
    for (let isFirst = true; isFirst || stopping.has(id); isFirst = false) {
      try {
        writeFileSync(createExecutionFolder(folderPath(id)).stopRequested, "", { mode: 0o600 });
        return;
      } catch (error) {
        if (isFirst) context.logger.warn("a stop could not be stored yet", { executionId: id, error });
        await wait(firstRetryMs, undefined, { ref: false });
      }
    }
  }

  /** Gives an execution that runs for nobody its owner, and so its end. */
  async function resumeOne({ id }: RunningExecution): Promise<void> {
    const execution = await context.storage.read.findExecution({ id });
    const attempt = execution && (await context.storage.read.findAttempt({ id: execution.attemptId }));
    if (execution?.status !== "running" || attempt === undefined) return;
    const folder = executionFolder(folderPath(id));
    // of an older copy of the database: it has run before, or somebody has decided since that it does not
    if (launches.has(id)) giveUpInterrupted(folderPath(id));
    // no claim: the last server ended between saving the message and starting the agent, so it is started now
    else if (!existsSync(folder.claim)) {
      await launch(await readPrepared(execution, attempt));
      return;
    }
    await own(id, async () => {
      if (input.findAdapter(attempt.agent) === undefined) await killRunner(folder);
      await attach(execution, attempt);
    });
  }

  async function lookForUnowned(): Promise<void> {
    for (const execution of await context.storage.read.listRunningExecutions()) {
      if (closed || attached.has(execution.id) || starting.has(execution.id)) continue;
      await resumeOne(execution).catch((error: unknown) =>
        context.logger.error("execution could not be resumed", { executionId: execution.id, error }),
      );
    }
  }

  function reconcile(): Promise<void> {
    reconciling ??= Promise.all([lookForUnowned(), expireTools()]).then(
      () => {
        reconciling = undefined;
      },
      (error: unknown) => {
        reconciling = undefined;
        throw error;
      },
    );
    return reconciling;
  }

  async function expireTools(): Promise<void> {
    const timeoutMs = input.toolTimeoutMs?.() ?? 0;
    if (timeoutMs === 0 || attached.size === 0) return;
    const pending = await context.storage.read.listApprovals({ status: "pending" });
    for (const [id, { follower }] of attached) {
      const asked = new Set(pending.filter(({ executionId }) => executionId === id).map(({ toolUseId }) => toolUseId));
      follower.expireTools({ timeoutMs, isWaiting: (toolUseId) => asked.has(toolUseId) });
    }
  }

  async function readPrepared(execution: RunningExecution, attempt: Attempt): Promise<PreparedExecution> {
    const [first] = await context.storage.read.listMessagePlaces({ executionId: execution.id, limit: 1 });
    const own = first && (await context.storage.read.findMessage({ id: first.id }));
    return { execution, attempt, ...toMessageParts(own?.body) };
  }

  return {
    launch,
    reconcile,
    async resume() {
      await trees.recover();
      await reconcile();
      // a client that comes now must find what it was shown by the last server
      await Promise.all([...attached.values()].map((one) => one.caughtUp));
    },
    stop(id) {
      // the signal comes first: the agent to be stopped may be the one that fills the disk
      stopping.add(id);
      attached.get(id)?.stop();
      waiting.get(id)?.abort();
      void rememberStop(id);
      if (attached.has(id) || starting.has(id)) return;
      void reconcile().catch((error: unknown) => context.logger.error("execution could not be stopped", { executionId: id, error }));
    },
    async waitUntilSettled(id) {
      await starting.get(id);
      await attached.get(id)?.settled;
      await trees.whenRecorded(id);
    },
    steer: (id, waiting) => attached.get(id)?.steer(waiting),
    answer: (approval) => attached.get(approval.executionId)?.answer(approval),
    changeSettings(attempt) {
      for (const one of attached.values()) if (one.execution.attemptId === attempt.id) one.changeSettings(attempt);
    },
    liveMessages: (attemptId) =>
      [...attached.values()].flatMap(({ execution, follower }) => (execution.attemptId === attemptId ? follower.live.messages() : [])),
    uncommittedMessages: (attemptId) =>
      [...attached.values()].flatMap(({ execution, follower }) => (execution.attemptId === attemptId ? follower.uncommitted() : [])),
    liveDeliveries: ({ taskId }) =>
      [...attached.values()].flatMap(({ execution, follower }) =>
        taskId === undefined || execution.taskId === taskId ? follower.live.deliveries() : [],
      ),
    async close() {
      closed = true;
      for (const one of waiting.values()) one.abort();
      await Promise.allSettled(starting.values());
      await Promise.all([...attached.values()].map((one) => one.detach()));
      attached.clear();
      await trees.close();
    },
  };
}

const notStartedAgain =
  "This execution was not started: the database is an older copy, so that it may have run before. Send a message to continue.";

/** Settles it as interrupted, unless it was started: then it is followed like every other. */
export function giveUpInterrupted(path: string): void {
  const folder = createExecutionFolder(path);
  if (!claimExecution(folder, `server ${process.pid}`)) return;
  writeWhole(folder.exit, { exitCode: null, signal: null, endedAt: Date.now(), interrupted: notStartedAgain } satisfies AgentExit);
}

/** Resolves when it is gone and writes nothing any more. Its agent is ended by whoever finds it without a runner. */
export async function killRunner(folder: ExecutionFolder): Promise<void> {
  const identity = await readRunnerIdentity(folder);
  for (let tries = 0; identity !== undefined && isRunnerAlive(identity) && tries < 100; tries++) {
    signalProcess(identity.pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
