import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, Attempt, QueuedMessage, RunningExecution } from "@skein/contracts";
import type { AgentAdapter } from "@skein/engine";
import {
  type AgentExit,
  connectRunner,
  type ExecutionFolder,
  isRunnerAlive,
  killExecutionProcesses,
  type RunnerConnection,
  type RunnerIdentity,
  removeCgroup,
  signalProcess,
} from "@skein/host";
import type { ExecutionContext } from "./execution-context.ts";
import type { ExecutionFollower } from "./execution-follower.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { readAgentExit, readRunnerIdentity } from "./runner-files.ts";
import { toSteeredMessageId } from "./save-facts.ts";

const pollMs = 1000;
const runnerAppearsWithinMs = 5000;
/** Later than the runner itself does it. */
const killAfterMs = 4000;
const killRunnerAfterMs = 8000;

/** A running execution that this server follows: its log, its runner's socket, its end. */
export interface AttachedExecution {
  readonly execution: RunningExecution;
  readonly follower: ExecutionFollower;
  /** Resolves when what the log held at first has been read. */
  readonly caughtUp: Promise<void>;
  /** Resolves once it has ended and is saved, with the next execution when a message waited. */
  readonly settled: Promise<PreparedExecution | undefined>;
  /** Ends the agent and everything it started; gently at first. */
  stop(): void;
  answer(approval: Approval): void;
  /** Brings a waiting message to the agent at work, where it takes one. */
  steer(waiting: QueuedMessage): void;
  /** Tells the agent at work what it is to use and may do from now on, where it takes that. */
  changeSettings(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): void;
  /** Stops following; the agent goes on. */
  detach(): Promise<void>;
}

export function attachExecution(input: {
  context: ExecutionContext;
  execution: RunningExecution;
  adapter: AgentAdapter;
  folder: ExecutionFolder;
  follower: ExecutionFollower;
  /** Throws where the secret behind it cannot be read: only who talks to a runner needs it. */
  readControlKey(): string;
  /** How it ended, where that is known already: its agent was never started. */
  knownExit?: AgentExit | undefined;
  /** Whether a user has asked to stop it. */
  isStopRequested(): boolean;
}): AttachedExecution {
  const { context, execution, adapter, folder, follower, readControlKey, isStopRequested } = input;
  const detached = Promise.withResolvers<undefined>();
  let isDetached = false;
  let connection: RunnerConnection | undefined;
  let identity: RunnerIdentity | undefined;
  /** Its agent is gone, and the runner waits for room to write what it left. */
  let isRunnerWaiting = false;

  const pump = (): Promise<void> =>
    follower.pump().catch((error: unknown) => context.logger.error("log could not be read", { executionId: execution.id, error }));
  const caughtUp = pump();
  const poll = setInterval(() => void pump(), pollMs).unref();
  const settled = (async () => {
    const exit = await waitForEnd();
    clearInterval(poll);
    if (exit?.refusedControl === true) follower.reportRefusedControl();
    return isDetached ? undefined : follower.finish(exit, { wasStopped: () => isStopRequested() || exit?.wasStopped === true });
  })();

  /** Undefined when the agent is gone and nobody saw its end. */
  async function waitForEnd(): Promise<AgentExit | undefined> {
    if (input.knownExit !== undefined) return input.knownExit;
    while (!isDetached) {
      const exit = await readAgentExit(folder);
      if (exit !== undefined) return exit;
      identity = await waitForRunner();
      if (identity === undefined || !isRunnerAlive(identity)) {
        const lateExit = await readAgentExit(folder); // written between the two looks
        if (lateExit === undefined) await killExecutionProcesses({ executionId: execution.id, cgroup: identity?.cgroup });
        if (identity?.cgroup !== undefined) removeCgroup(identity.cgroup, execution.id);
        return lateExit;
      }
      await Promise.race([follow(identity), detached.promise]);
    }
    return undefined;
  }

  async function waitForRunner(): Promise<RunnerIdentity | undefined> {
    for (const until = Date.now() + runnerAppearsWithinMs; ; await wait(20)) {
      const found = await readRunnerIdentity(folder);
      if (found !== undefined || Date.now() > until || isDetached || existsSync(folder.exit)) return found;
    }
  }

  /** Resolves when the connection ends, for whatever reason. */
  async function follow(runner: RunnerIdentity): Promise<void> {
    const closed = Promise.withResolvers<void>();
    try {
      connection = await connectRunner(runner, readControlKey(), {
        onNotice(notice) {
          if (notice.type === "log") void pump();
          else if (notice.type === "exited") closed.resolve();
          else if (notice.type === "waiting") isRunnerWaiting = true;
          else follower.reportRefusedControl();
        },
        onClose: () => closed.resolve(),
      });
    } catch {
      await wait(50); // it is about to exit and has removed its socket, or is just making it
      return;
    }
    // nobody would close it any more, and it would keep the process from ending
    if (isDetached) {
      connection.close();
      return;
    }
    if (isStopRequested()) stop();
    // what came while no server was connected; telling the agent twice does no harm
    for (const approval of await context.storage.read.listApprovals({ executionId: execution.id, status: "answered" })) answer(approval);
    for (const waiting of await context.storage.read.listQueuedMessages({ attemptId: execution.attemptId })) steer(waiting);
    await closed.promise;
    connection.close();
    connection = undefined;
  }

  function answer(approval: Approval): void {
    if (approval.status !== "answered") return;
    const { toolUseId, requestId, toolName, input, decision, answerReason: reason, grant, answers, plan } = approval;
    connection?.send({
      type: "stdin",
      data: adapter.encodeApproval({ toolUseId, requestId, toolName, input, decision, reason, grant, answers, plan }),
    });
  }

  function steer({ id, message, images, steer }: QueuedMessage): void {
    const data = steer ? adapter.encodeSteering?.({ id: toSteeredMessageId(id), text: message, images }) : undefined;
    if (data !== undefined) connection?.send({ type: "stdin", data });
  }

  function stop(): void {
    connection?.send({ type: "stop" });
    const killTree = setTimeout(
      () => void killExecutionProcesses({ executionId: execution.id, cgroup: identity?.cgroup }),
      killAfterMs,
    ).unref();
    const killRunner = setTimeout(() => {
      // it alone has the last words of its agent
      if (identity !== undefined && !isRunnerWaiting) signalProcess(identity.pid, "SIGKILL");
    }, killRunnerAfterMs).unref();
    const cancel = (): void => {
      clearTimeout(killTree);
      clearTimeout(killRunner);
    };
    void settled.then(cancel, cancel);
  }

  return {
    execution,
    follower,
    caughtUp,
    settled,
    answer,
    steer,
    changeSettings(settings) {
      const data = adapter.encodeSettings?.(settings);
      if (data !== undefined) connection?.send({ type: "stdin", data });
    },
    stop,
    async detach() {
      isDetached = true;
      clearInterval(poll);
      detached.resolve(undefined);
      connection?.close();
      await follower.close();
    },
  };
}
