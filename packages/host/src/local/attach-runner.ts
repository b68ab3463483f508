import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId } from "@skein/contracts";
import type { RunnerReport } from "../port/executions.ts";
import { removeCgroup } from "../runner/execution-cgroup.ts";
import type { AgentExit, ExecutionFolder, RunnerIdentity } from "../runner/execution-folder.ts";
import { killExecutionProcesses, signalProcess } from "../runner/process-tree.ts";
import { connectRunner, isRunnerAlive, type RunnerConnection } from "../runner/runner-connection.ts";
import { readAgentExit, readRunnerIdentity } from "../runner/runner-files.ts";

const runnerAppearsWithinMs = 5000;
/** Longer than the runner's own timeout. */
const killAfterMs = 4000;
const killRunnerAfterMs = 8000;

/** The connection to the runner of one execution. Its methods are those of the port. */
export interface AttachedRunner {
  readonly reports: AsyncIterable<RunnerReport>;
  send(data: string): void;
  stop(): void;
  detach(): void;
}

/** Connects to the runner of an execution. `readKey` throws if the secret cannot be read; it is called only to connect. */
export function attachRunner(input: { id: ExecutionId; folder: ExecutionFolder; readKey(): string; onOver(): void }): AttachedRunner {
  const { id, folder } = input;
  const untaken: RunnerReport[] = [];
  /** Resolves when there is something for the reader. */
  let news = Promise.withResolvers<void>();
  const detached = Promise.withResolvers<undefined>();
  let isDetached = false;
  let connection: RunnerConnection | undefined;
  let identity: RunnerIdentity | undefined;
  /** The agent has exited, and the runner waits until its output can be written. */
  let isRunnerWaiting = false;
  const ended = waitForEnd();
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    input.onOver();
    news.resolve();
  };
  ended.then(finish, finish);

  /** A report that was not taken yet is not repeated. */
  function push(report: RunnerReport): void {
    if (untaken.at(-1)?.type !== report.type) untaken.push(report);
    news.resolve();
  }

  async function* readReports(): AsyncGenerator<RunnerReport, void> {
    try {
      while (!isDetached && (untaken.length > 0 || !isOver)) {
        const report = untaken.shift();
        if (report !== undefined) {
          yield report;
          continue;
        }
        await news.promise;
        news = Promise.withResolvers();
      }
      if (!isDetached) yield { type: "ended", exit: (await ended) ?? null };
    } finally {
      detach();
    }
  }

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

  /** The runner is gone: kills what is left of its agent. */
  async function cleanUpLost(): Promise<AgentExit | undefined> {
    const lateExit = await readAgentExit(folder); // written between the two checks
    if (lateExit === undefined) await killExecutionProcesses({ executionId: id, cgroup: identity?.cgroup });
    if (identity?.cgroup !== undefined) removeCgroup(identity.cgroup, id);
    return lateExit;
  }

  async function waitForRunner(): Promise<RunnerIdentity | undefined> {
    for (const until = Date.now() + runnerAppearsWithinMs; ; await wait(20)) {
      const found = await readRunnerIdentity(folder);
      if (found !== undefined || Date.now() > until || isDetached || existsSync(folder.exit)) return found;
    }
  }

  /** Resolves when the connection ends for any reason. */
  async function followRunner(runner: RunnerIdentity): Promise<void> {
    const closed = Promise.withResolvers<void>();
    try {
      connection = await connectRunner(runner, input.readKey(), {
        onReport(report) {
          if (report.type === "log") push({ type: "log" });
          else if (report.type === "exited") closed.resolve();
          else if (report.type === "waiting") isRunnerWaiting = true;
          else push({ type: "control-refused" });
        },
        onClose: () => closed.resolve(),
      });
    } catch {
      await wait(50); // the runner is exiting or has not created its socket yet
      return;
    }
    // an open socket would keep the process alive
    if (isDetached) {
      connection.close();
      return;
    }
    push({ type: "connected" });
    await closed.promise;
    connection.close();
    connection = undefined;
  }

  function detach(): void {
    isDetached = true;
    detached.resolve(undefined);
    connection?.close();
    news.resolve();
  }

  return {
    reports: toReports(readReports(), detach),
    detach,
    send: (data) => connection?.send({ type: "stdin", data }),
    stop() {
      connection?.send({ type: "stop" });
      const killTree = setTimeout(() => void killExecutionProcesses({ executionId: id, cgroup: identity?.cgroup }), killAfterMs).unref();
      const killRunner = setTimeout(() => {
        // only the runner has the agent's last output
        if (identity !== undefined && !isRunnerWaiting) signalProcess(identity.pid, "SIGKILL");
      }, killRunnerAfterMs).unref();
      const cancel = (): void => {
        clearTimeout(killTree);
        clearTimeout(killRunner);
      };
      void ended.then(cancel, cancel);
    },
  };
}

/** A generator that waits does not react to `return`: the runner is detached at once instead. */
function toReports(source: AsyncGenerator<RunnerReport, void>, detach: () => void): AsyncIterableIterator<RunnerReport> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => source.next(),
    async return() {
      detach();
      return { done: true, value: undefined };
    },
  };
}
