import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, Attempt, QueuedMessage } from "@skein/contracts";
import {
  type AgentExit,
  connectRunner,
  isRunnerAlive,
  killExecutionProcesses,
  type RunnerConnection,
  type RunnerIdentity,
  removeCgroup,
  signalProcess,
} from "@skein/host";
import type { ExecutionContext, FollowedExecution } from "./execution-context.ts";
import { readAgentExit, readRunnerIdentity } from "./runner-files.ts";
import { toSteeredMessageId } from "./save-facts.ts";

const runnerAppearsWithinMs = 5000;
/** Later than the runner itself does it. */
const killAfterMs = 4000;
const killRunnerAfterMs = 8000;

/** The connection to the runner of one execution, made again for as long as the runner lives. */
export interface RunnerLink {
  /** How the agent ended. Undefined when it is gone and nobody saw its end, and after `detach`. */
  readonly ended: Promise<AgentExit | undefined>;
  /** Ends the agent and everything it started; gently at first. */
  stop(): void;
  answer(approval: Approval): void;
  /** Sends a queued message to the agent at work, where it takes one. */
  steer(queued: QueuedMessage): void;
  /** Sends the agent at work what it is to use and may do from now on, where it takes that. */
  changeSettings(settings: Pick<Attempt, "model" | "permissionMode" | "agentMode">): void;
  /** Closes the connection; the agent keeps running. */
  detach(): void;
}

export function openRunnerLink(input: {
  context: Pick<ExecutionContext, "storage">;
  followed: FollowedExecution;
  /** Throws where the secret behind it cannot be read: only who talks to a runner needs it. */
  readControlKey(): string;
  /** Whether a user has asked to stop it: sent to the runner as soon as it is reached. */
  isStopRequested(): boolean;
  /** There is more in the log. */
  onLog(): void;
  onRefusedControl(): void;
}): RunnerLink {
  const { context, followed, isStopRequested } = input;
  const { execution, adapter, folder } = followed;
  const detached = Promise.withResolvers<undefined>();
  let isDetached = false;
  let connection: RunnerConnection | undefined;
  let identity: RunnerIdentity | undefined;
  /** Its agent is gone, and the runner waits for room to write what it left. */
  let isRunnerWaiting = false;
  const ended = waitForEnd();

  async function waitForEnd(): Promise<AgentExit | undefined> {
    while (!isDetached) {
      const exit = await readAgentExit(folder);
      if (exit !== undefined) return exit;
      identity = await waitForRunner();
      if (identity === undefined || !isRunnerAlive(identity)) return cleanUpLost();
      await Promise.race([followRunner(identity), detached.promise]);
    }
    return undefined;
  }

  /** The runner is gone: nothing of its agent may be left. */
  async function cleanUpLost(): Promise<AgentExit | undefined> {
    const lateExit = await readAgentExit(folder); // written between the two looks
    if (lateExit === undefined) await killExecutionProcesses({ executionId: execution.id, cgroup: identity?.cgroup });
    if (identity?.cgroup !== undefined) removeCgroup(identity.cgroup, execution.id);
    return lateExit;
  }

  async function waitForRunner(): Promise<RunnerIdentity | undefined> {
    for (const until = Date.now() + runnerAppearsWithinMs; ; await wait(20)) {
      const found = await readRunnerIdentity(folder);
      if (found !== undefined || Date.now() > until || isDetached || existsSync(folder.exit)) return found;
    }
  }

  /** Resolves when the connection ends, for whatever reason. */
  async function followRunner(runner: RunnerIdentity): Promise<void> {
    const closed = Promise.withResolvers<void>();
    try {
      connection = await connectRunner(runner, input.readControlKey(), {
        onNotice(notice) {
          if (notice.type === "log") input.onLog();
          else if (notice.type === "exited") closed.resolve();
          else if (notice.type === "waiting") isRunnerWaiting = true;
          else input.onRefusedControl();
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
    await sendMissed();
    await closed.promise;
    connection.close();
    connection = undefined;
  }

  /** What came while no server was connected. Sending it twice does no harm. */
  async function sendMissed(): Promise<void> {
    const { read } = context.storage;
    for (const approval of await read.listApprovals({ executionId: execution.id, status: "answered" })) answer(approval);
    for (const queued of await read.listQueuedMessages({ attemptId: execution.attemptId })) steer(queued);
  }

  function answer(approval: Approval): void {
    if (approval.status !== "answered") return;
    const { toolUseId, requestId, toolName, input, decision, answerReason: reason, grant, answers, plan } = approval;
    sendToAgent(adapter.encodeApproval({ toolUseId, requestId, toolName, input, decision, reason, grant, answers, plan }));
  }

  function steer({ id, message, images, steer: isSteering }: QueuedMessage): void {
    if (isSteering) sendToAgent(adapter.encodeSteering?.({ id: toSteeredMessageId(id), text: message, images }));
  }

  function sendToAgent(data: string | undefined): void {
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
    void ended.then(cancel, cancel);
  }

  return {
    ended,
    stop,
    answer,
    steer,
    changeSettings: (settings) => sendToAgent(adapter.encodeSettings?.(settings)),
    detach() {
      isDetached = true;
      detached.resolve(undefined);
      connection?.close();
    },
  };
}
