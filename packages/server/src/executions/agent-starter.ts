import { setTimeout as wait } from "node:timers/promises";
import type { Attempt, ExecutionId } from "@skein/contracts";
import { type AgentAdapter, createConcurrencyLimit } from "@skein/engine";
import type { AgentExit } from "@skein/host";
import type { LaunchJournal } from "../data-dir/launch-journal.ts";
import type { PreparedLfs } from "../lfs/git-lfs.ts";
import { getAttemptFolder } from "./attempt-folder.ts";
import type { DrainGate } from "./drain-gate.ts";
import type { ExecutionHolds } from "./execution-holds.ts";
import type { ExecutionSlots } from "./execution-slots.ts";
import { type LaunchDependencies, launchAgent } from "./launch-agent.ts";
import type { LifeCycle } from "./life-cycle.ts";
import type { PreparedExecution } from "./prepare-execution.ts";
import { prepareLfsFiles } from "./prepare-lfs-files.ts";
import { recoverOperations } from "./recover-operations.ts";
import type { TreeRecorder } from "./tree-recorder.ts";
import { isWaitingForHost } from "./waiting-for-host.ts";

const firstRetryMs = 1000;
const longestRetryMs = 8000;

/** The part of an execution's life cycle that a start reads and changes. */
export interface StartingLife {
  cycle: LifeCycle;
  isStopRequested(): boolean;
  isReleased(): boolean;
  /** Called when it waits for a slot, which may take hours. */
  onWaiting(): void;
}

/** Takes prepared executions from waiting to a running runner. */
export interface AgentStarter {
  /**
   * Resolves when the runner is running, or with the execution's end if its agent was not started because it was stopped or cannot
   * start. Retries machine faults. Also resolves when the life cycle is released.
   */
  start(prepared: PreparedExecution, adapter: AgentAdapter, life: StartingLife): Promise<AgentExit | undefined>;
}

/** What starts need of the server, in addition to launches. */
export interface StartDependencies extends LaunchDependencies {
  launches: LaunchJournal;
  /** Called with the error that prevented the start of an agent. */
  explainFault?(error: unknown): Promise<unknown>;
  /** Default: no limits. */
  slots?: Pick<ExecutionSlots, "take">;
  /** Default: nothing is held back. */
  holds?: Pick<ExecutionHolds, "pass">;
  /** Only if several servers share the database. */
  drain?: DrainGate;
  /** Called when an execution begins or ends to wait for its host. */
  noteWaiting?(id: ExecutionId, isWaiting: boolean): void;
}

export function createAgentStarter(input: StartDependencies & { trees: TreeRecorder }): AgentStarter {
  const { context, trees, launches } = input;
  const { executions } = context.host;
  /**
   * Starting an agent keeps a whole core busy for a moment: starting fifty at once would slow everything and start none of them sooner.
   * Most of that work is the agent's own, so a start is in progress until the agent's first output, for a limited time.
   */
  const limitStarts = createConcurrencyLimit(context.host.startsAtOnce);

  /** Resolves when the runner is running; the start is in progress for longer. */
  function launchInTurn(launch: { prepared: PreparedExecution; adapter: AgentAdapter; lfs: PreparedLfs; life: StartingLife }) {
    const { id } = launch.prepared.execution;
    const launched = Promise.withResolvers<AgentExit | undefined>();
    limitStarts(async () => {
      const exit = await launchAgent({ ...input, ...launch });
      launched.resolve(exit);
      if (exit === undefined) await executions.untilFirstOutput({ id });
    }).catch(launched.reject);
    return launched.promise;
  }

  /** Retries while the machine cannot start it, for example because the disk is full: the message waits until then. */
  async function startWhenPossible(launch: Parameters<typeof launchInTurn>[0]): Promise<AgentExit | undefined> {
    const { cycle, isReleased, isStopRequested } = launch.life;
    for (let delayMs = firstRetryMs; !isReleased(); delayMs = Math.min(delayMs * 2, longestRetryMs)) {
      cycle.enter({ name: "starting" });
      if (isStopRequested()) return { exitCode: null, signal: null, endedAt: context.now(), notStarted: { code: "stopped" } };
      try {
        const exit = await launchInTurn(launch);
        input.noteWaiting?.(launch.prepared.execution.id, false);
        return exit;
      } catch (error) {
        context.logger.error("agent could not be started yet", { executionId: launch.prepared.execution.id, error });
        if (isWaitingForHost(error)) input.noteWaiting?.(launch.prepared.execution.id, true);
        else await input.explainFault?.(error);
      }
      if (isReleased()) return undefined;
      const wakeUp = new AbortController();
      cycle.enter({ name: "waiting", wakeUp });
      if (isStopRequested()) continue;
      await wait(delayMs, undefined, { signal: wakeUp.signal, ref: false }).catch(() => {});
    }
    return undefined;
  }

  /** An operation that failed halfway would write files while the agent works. If it cannot be completed, the next operation reports why. */
  async function completeOperations(attempt: Attempt): Promise<void> {
    try {
      await recoverOperations(context, await getAttemptFolder(context, attempt));
    } catch (error) {
      context.logger.warn("an operation could not be completed before an agent starts", { attemptId: attempt.id, error });
    }
  }

  return {
    async start(prepared, adapter, life) {
      const { attempt, execution } = prepared;
      const { state } = life.cycle;
      const signal = state.name === "waiting" ? state.wakeUp.signal : AbortSignal.abort();
      // the next agent of an attempt must not write before the previous result is recorded
      await trees.whenDone(attempt.id);
      await completeOperations(attempt);
      // not counted as a start: a download takes minutes
      const lfs = await prepareLfsFiles({ ...input, attempt, signal });
      const waits = { signal, onWaiting: life.onWaiting };
      do {
        await input.holds?.pass(execution, waits);
        await input.slots?.take(execution, waits);
        // a worker starts agents whatever this server does
      } while (!attempt.hostId && (await input.drain?.pass(execution, waits)) && !signal.aborted);
      const exit = await startWhenPossible({ prepared, adapter, lfs, life });
      if (await executions.isClaimed({ id: execution.id }).catch(() => false)) launches.note(execution.id);
      return exit;
    },
  };
}
