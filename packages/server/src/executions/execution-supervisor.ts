import { setTimeout as wait } from "node:timers/promises";
import type {
  AgentId,
  Approval,
  Attempt,
  AttemptId,
  ConversationMessage,
  Delivery,
  ExecutionId,
  QueuedMessage,
  RunningExecution,
  StoredMessage,
  TaskId,
} from "@skein/contracts";
import type { AgentAdapter, StorageNodes, StorageReader } from "@skein/engine";
import type { AgentExit } from "@skein/host";
import type { UnrecordedEnds } from "../data-dir/unrecorded-ends.ts";
import { isElsewhere } from "../is-elsewhere.ts";
import { abandonInterrupted } from "./abandon-interrupted.ts";
import { createAgentStarter, type StartDependencies, type StartingLife } from "./agent-starter.ts";
import { autoCommit } from "./auto-commit.ts";
import type { ExecutionFollower } from "./execution-follower.ts";
import { type OwnedExecution, ownExecution } from "./own-execution.ts";
import { type PreparedExecution, toMessageParts } from "./prepare-execution.ts";
import type { RunnerLink } from "./runner-link.ts";
import { settleGivenUp } from "./settle-given-up.ts";
import { createStopRequests } from "./stop-requests.ts";
import { createTreeRecorder } from "./tree-recorder.ts";
import { createUnavailableAgent } from "./unavailable-agent.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

/** How long a release waits for executions that are being settled. */
const releaseMs = 1000;

/** Runs prepared executions and follows every running one to its end. */
export interface ExecutionSupervisor {
  /** Launches the agent. One that cannot start is a failed execution; machine faults are retried. */
  launch(prepared: PreparedExecution): Promise<void>;
  /** Follows executions that an earlier server left running, and settles those that ended in between. */
  resume(): Promise<void>;
  /**
   * Finds executions that are stored as running and have no owner: living ones are followed, the others settled (Q7). Also settles
   * hanging tools of followed executions (T5).
   */
  reconcile(): Promise<void>;
  /** After a host was connected: records what it could not record, and follows what has no owner. */
  resumeHost(): Promise<void>;
  /** Finds an owner for a running execution that another server may have prepared for this one. */
  take(id: ExecutionId): void;
  /** Agents on this machine that run, executions on workers that it follows, and executions that have not started. */
  countOwned(): { agents: number; following: number; waiting: number };
  /** Stops following a running execution on a worker, for another server that follows it next. Returns whether it did. */
  transfer(id: ExecutionId): Promise<boolean>;
  /** Stops following everything; agents keep running. The next `reconcile` continues. */
  release(): Promise<void>;
  /** Whether this server follows it. */
  owns(id: ExecutionId): boolean;
  stop(id: ExecutionId): void;
  /** Resolves when its end and the content of its folder are saved; immediately if it is not running. */
  waitUntilSettled(id: ExecutionId): Promise<void>;
  answer(approval: Approval): void;
  /** Sends a queued message to the running agent. */
  steer(id: ExecutionId, queued: QueuedMessage): void;
  /** Sends an attempt's changed settings to its running agent. */
  changeSettings(attempt: Attempt): void;
  /** Conversation messages of an attempt's running execution that are shown but not committed. */
  liveMessages(attemptId: AttemptId): ConversationMessage[];
  /** Protocol messages of the running execution of an attempt that are not committed. */
  uncommittedMessages(attemptId: AttemptId): StoredMessage[];
  liveDeliveries(query: { taskId?: TaskId }): Delivery[];
  /** Stops following. Agents keep running in their runners. */
  close(): Promise<void>;
}

export function createExecutionSupervisor(
  input: StartDependencies & {
    unrecorded: UnrecordedEnds;
    findAdapter(agent: AgentId): AgentAdapter | undefined;
    /** How long a running tool may be inactive; 0 is unlimited. Read with every `reconcile`. */
    toolTimeoutMs?: () => number;
  },
): ExecutionSupervisor {
  const { context, launches } = input;
  const { storage, logger } = context;
  const { executions } = context.host;
  /** One owner per execution: a second one would read its log and publish its events twice. */
  const owned = new Map<ExecutionId, OwnedExecution>();
  /** Those that another server is to follow. */
  const leaving = new Set<ExecutionId>();
  const stops = createStopRequests(context);
  const trees = createTreeRecorder({
    ...input,
    hasBegun: (id) => executions.isClaimed({ id }),
    afterEnd: (attempt, id) => autoCommit(input, attempt, id),
  });
  const starter = createAgentStarter({ ...input, trees });
  let closed = false;
  let reconciling: Promise<void> | undefined;
  let reconcilingNext: Promise<void> | undefined;

  const findAgent = ({ agent }: Attempt): AgentAdapter => input.findAdapter(agent) ?? createUnavailableAgent(agent);

  function own(
    { execution, attempt }: Pick<PreparedExecution, "execution" | "attempt">,
    start: (life: StartingLife, adapter: AgentAdapter) => Promise<AgentExit | undefined>,
  ): OwnedExecution {
    const known = owned.get(execution.id);
    if (known !== undefined) return known;
    const adapter = findAgent(attempt);
    const one = ownExecution({
      context,
      followed: { execution, attempt, adapter, files: executions },
      stops,
      trees,
      start: (life) => start(life, adapter),
      onLateStop: (next) => stops.request(next.execution.id),
    });
    owned.set(execution.id, one);
    void one.over.then(
      (next) => disown(one, next),
      // the next `reconcile` assigns an owner
      (error: unknown) => {
        disown(one, undefined);
        if (!isWaitingForHost(error)) logger.error("execution could not be followed", { executionId: execution.id, error });
      },
    );
    return one;
  }

  function disown({ execution: { id }, state }: OwnedExecution, next: PreparedExecution | undefined): void {
    owned.delete(id);
    if (state.name !== "recorded") return; // the agent may still run, and may not have read its history yet
    stops.forget(id);
    input.noteWaiting?.(id, false);
    if (closed) return;
    // left by an agent that was killed before reading it
    void executions.removeHistory({ id }).catch(() => {});
    if (next !== undefined) launch(next).catch(() => {}); // logged with its owner's end
  }

  /** Whether another server owns it. The agent of an attempt on a worker may be looked after by any server. */
  async function isOthers({ execution, attempt }: Pick<PreparedExecution, "execution" | "attempt">): Promise<boolean> {
    if (storage.nodes === undefined) return false;
    if (!attempt.hostId) return isElsewhere(storage, attempt);
    const own = await storage.read.listRunningExecutions({ attemptId: attempt.id, isOwn: true });
    return !own.some(({ id }) => id === execution.id);
  }

  async function launch(prepared: PreparedExecution): Promise<void> {
    // its own server launches it
    if (closed || (await isOthers(prepared))) return;
    await own(prepared, (life, adapter) => starter.start(prepared, adapter, life)).opened;
  }

  /** Follows an execution whose runner is running or has ended. */
  async function follow(execution: RunningExecution, attempt: Attempt): Promise<void> {
    await own({ execution, attempt }, async () => {
      if (input.findAdapter(attempt.agent) === undefined) await executions.killRunner({ id: execution.id });
      return undefined;
    }).opened;
  }

  /** Assigns an owner to a running execution without one, which then ends it. */
  async function resumeOne({ id }: RunningExecution): Promise<void> {
    const execution = await storage.read.findExecution({ id });
    const attempt = execution && (await storage.read.findAttempt({ id: execution.attemptId }));
    if (closed || owned.has(id) || leaving.has(id) || execution?.status !== "running" || attempt === undefined) return;
    // its server was given up, and this one has become the owner
    if (!attempt.hostId && isElsewhere(storage, attempt))
      return settleGivenUp({ context, execution, attempt, adapter: findAgent(attempt) });
    // from an older copy of the database: it has run before, or was given up since
    if (launches.has(id)) await abandonInterrupted(executions, id);
    if (launches.has(id) || (await executions.isClaimed({ id }))) return follow(execution, attempt);
    // no claim: the last server ended between saving the message and starting the agent
    if (await stops.wasRequestedBefore(execution)) stops.request(id);
    await launch(await readPrepared(storage.read, execution, attempt));
  }

  async function lookForUnowned(): Promise<void> {
    for (const execution of await storage.read.listRunningExecutions({ isOwn: true })) {
      if (closed || owned.has(execution.id)) continue;
      const resumed = resumeOne(execution).catch((error: unknown) => {
        if (isWaitingForHost(error)) input.noteWaiting?.(execution.id, true);
        else logger.error("execution could not be resumed", { executionId: execution.id, error });
      });
      // an execution that waits for its worker must not delay the others
      if (!(await storage.read.findAttempt({ id: execution.attemptId }))?.hostId) await resumed;
    }
  }

  function reconcile(): Promise<void> {
    // one that is in progress may have missed what this call must find
    if (reconciling !== undefined) {
      reconcilingNext ??= reconciling.catch(() => {}).then(reconcile);
      return reconcilingNext;
    }
    reconcilingNext = undefined;
    reconciling = Promise.all([lookForUnowned(), expireTools()])
      .then(() => {})
      .finally(() => {
        reconciling = undefined;
      });
    return reconciling;
  }

  async function expireTools(): Promise<void> {
    const timeoutMs = input.toolTimeoutMs?.() ?? 0;
    if (timeoutMs === 0 || owned.size === 0) return;
    const pending = await storage.read.listApprovals({ status: "pending" });
    for (const [id, { state }] of owned) {
      if (state.name !== "running") continue;
      const asked = new Set(pending.filter(({ executionId }) => executionId === id).map(({ toolUseId }) => toolUseId));
      state.follower.expireTools({ timeoutMs, isWaiting: (toolUseId) => asked.has(toolUseId) });
    }
  }

  function stop(id: ExecutionId): void {
    if (storage.nodes !== undefined && !owned.has(id)) stopAnywhere(storage.nodes, id);
    else stopHere(id);
  }

  function stopHere(id: ExecutionId): void {
    stops.request(id);
    const one = owned.get(id);
    if (one !== undefined) one.stop();
    else reconcile().catch((error: unknown) => logger.error("execution could not be stopped", { executionId: id, error }));
  }

  /** Of several servers, the owner stops it. */
  function stopAnywhere(nodes: StorageNodes, id: ExecutionId): void {
    const find = async () => {
      const execution = await storage.read.findExecution({ id });
      const attempt = execution && (await storage.read.findAttempt({ id: execution.attemptId }));
      const isRunning = execution?.status === "running" && attempt !== undefined;
      if (isRunning && (await isOthers({ execution, attempt }))) await nodes.requestStop({ executionId: id, at: context.now() });
      else stopHere(id);
    };
    find().catch((error: unknown) => logger.error("execution could not be stopped", { executionId: id, error }));
  }

  const findRunner = (id: ExecutionId): RunnerLink | undefined => {
    const state = owned.get(id)?.state;
    return state?.name === "running" ? state.runner : undefined;
  };
  const listFollowed = (isWanted: (execution: RunningExecution) => boolean): ExecutionFollower[] =>
    [...owned.values()].flatMap(({ execution, state }) => ("follower" in state && isWanted(execution) ? [state.follower] : []));

  context.spending?.useControl({
    ask: (id) => findRunner(id)?.controlCalls(),
    grant: (id, callId) => findRunner(id)?.controlCalls(callId),
    stop: (id) => findRunner(id)?.stop(),
  });

  return {
    launch,
    reconcile,
    async resume() {
      await trees.recover();
      await reconcile();
      // a client that connects now must get what the last server had shown
      await Promise.all([...owned.values()].map((one) => (one.isRemote ? undefined : one.caughtUp())));
    },
    async resumeHost() {
      await trees.recover();
      await reconcile();
    },
    take(id) {
      const taken = async () => {
        const own = await storage.read.listRunningExecutions({ isOwn: true });
        const found = own.find((execution) => execution.id === id);
        if (found !== undefined && !owned.has(id)) await resumeOne(found);
      };
      if (closed || owned.has(id)) return;
      taken().catch((error: unknown) => logger.error("execution could not be resumed", { executionId: id, error }));
    },
    countOwned() {
      const counts = { agents: 0, following: 0, waiting: 0 };
      for (const { state, isRemote } of owned.values()) {
        if (state.name === "waiting") counts.waiting++;
        else if (state.name !== "released") counts[isRemote ? "following" : "agents"]++;
      }
      return counts;
    },
    async transfer(id) {
      const one = owned.get(id);
      if (one === undefined || !one.isRemote || one.state.name !== "running") return false;
      leaving.add(id);
      try {
        await one.release();
        await one.over.catch(() => {});
        await storage.nodes?.transfer({ executionId: id });
        return true;
      } finally {
        leaving.delete(id);
      }
    },
    async release() {
      const released = [...owned.values()].map(async (one) => {
        await one.release();
        await one.over.catch(() => {});
      });
      // one that is settling may wait for the database
      await Promise.race([Promise.all(released), wait(releaseMs, undefined, { ref: false })]);
    },
    owns: (id) => owned.has(id),
    stop,
    async waitUntilSettled(id) {
      await owned.get(id)?.over;
      await trees.whenRecorded(id);
    },
    steer: (id, queued) => findRunner(id)?.steer(queued),
    answer: (approval) => findRunner(approval.executionId)?.answer(approval),
    changeSettings(attempt) {
      for (const { execution } of owned.values()) if (execution.attemptId === attempt.id) findRunner(execution.id)?.changeSettings(attempt);
    },
    liveMessages: (attemptId) => listFollowed((one) => one.attemptId === attemptId).flatMap(({ live }) => live.messages()),
    uncommittedMessages: (attemptId) => listFollowed((one) => one.attemptId === attemptId).flatMap((one) => one.uncommitted()),
    liveDeliveries: ({ taskId }) =>
      listFollowed((one) => taskId === undefined || one.taskId === taskId).flatMap(({ live }) => live.deliveries()),
    async close() {
      closed = true;
      await Promise.all([...owned.values()].map((one) => one.release()));
      owned.clear();
      await trees.close();
    },
  };
}

async function readPrepared(reader: StorageReader, execution: RunningExecution, attempt: Attempt): Promise<PreparedExecution> {
  const [first] = await reader.listMessagePlaces({ executionId: execution.id, limit: 1 });
  const own = first && (await reader.findMessage({ id: first.id }));
  return { execution, attempt, ...toMessageParts(own?.body) };
}
