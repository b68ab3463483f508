import { setTimeout as wait } from "node:timers/promises";
import type { CommandResult, StartedTask } from "@skein/contracts";
import type { EventTruth } from "../checks/event-truth.ts";
import type { Cluster, SimulatedServer, SimulatedWorker } from "../cluster/cluster.ts";
import type { SimulationOptions } from "../options.ts";
import { createRandom } from "../random.mjs";
import type { Governor } from "./governor.ts";
import type { Requests } from "./requests.ts";

/** One message to one agent. Its number is in the agent's journal. */
export interface Run {
  number: number;
  taskId: string;
  attemptId: string;
  executionId: string;
  /** Where its project is. */
  server: SimulatedServer;
  /** Where it runs; undefined: on the machine of its server. */
  worker: SimulatedWorker | undefined;
  /** Ends that a fault explains. */
  disturbed: Set<"agent-killed" | "stopped" | "machine-lost">;
  isOver: boolean;
}

/** Users who keep a number of agents busy: each lane starts a task, sends a few messages to its attempt, and starts the next task. */
export interface Load {
  readonly runs: readonly Run[];
  readonly taskIds: readonly string[];
  readonly running: readonly Run[];
  /** Starts nothing new; resolves when everything has ended, or with what has not. */
  finish(patienceMs: number): Promise<Run[]>;
}

const messagesPerAttempt = 3;

export function startLoad(input: {
  options: SimulationOptions;
  cluster: Cluster;
  requests: Requests;
  truth: EventTruth;
  governor: Governor;
  onTask(taskId: string): void;
}): Load {
  const { options, cluster, requests, truth, governor, onTask } = input;
  const random = createRandom(options.seed + 1);
  const runs: Run[] = [];
  const taskIds: string[] = [];
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  let isFinishing = false;
  let numbers = 0;

  truth.onEvent(({ type, executionId }) => {
    if (type !== "execution:completed" || executionId === null) return;
    ended.add(executionId);
    waiting.get(executionId)?.();
  });
  const untilEnd = async (run: Run): Promise<void> => {
    await new Promise<void>((resolve) => {
      waiting.set(run.executionId, resolve);
      if (ended.has(run.executionId)) resolve();
    });
    run.isOver = true;
  };

  const toMessage = (number: number): string => {
    const every = (options.executions / options.linesPerSecond) * 1000;
    const lines = Math.round(options.linesPerExecution * (0.5 + random.number()));
    return `run=${number} seed=${options.seed * 100_000 + number} lines=${lines} every=${every.toFixed(1)}`;
  };
  const start = async (place: Pick<Run, "server" | "worker">): Promise<Run> => {
    const number = ++numbers;
    const body = {
      id: `start-${options.seed}-${number}`,
      task: { projectId: place.server.projectId, title: `Run ${number}` },
      attempt: { agent: "claude-code", permissionMode: "full", ...(place.worker === undefined ? {} : { host: place.worker.id }) },
      message: toMessage(number),
    };
    const { task, attempt, executionId } = await requests.send<StartedTask>("POST", "/api/starts", body);
    taskIds.push(task.id);
    onTask(task.id);
    return { number, taskId: task.id, attemptId: attempt.id, executionId, ...place, disturbed: new Set(), isOver: false };
  };
  const send = async (before: Run): Promise<Run> => {
    const number = ++numbers;
    const command = { id: `send-${options.seed}-${number}`, type: "SEND_MESSAGE", taskId: before.taskId, message: toMessage(number) };
    const { executionId } = await requests.send<CommandResult>("POST", "/api/commands", command);
    if (executionId === undefined) throw new Error(`The message of run ${number} did not start an execution.`);
    return { ...before, number, executionId, disturbed: new Set(), isOver: false };
  };
  const placeOf = (lane: number): Pick<Run, "server" | "worker"> => {
    const isLocal = cluster.workers.length === 0 || lane < options.executions * options.localShare;
    const worker = isLocal ? undefined : cluster.workers[lane % cluster.workers.length];
    const server = worker?.server ?? cluster.servers[lane % cluster.servers.length];
    if (server === undefined) throw new Error("There is no server.");
    return { server, worker };
  };
  const runLane = async (lane: number): Promise<void> => {
    // not all in the same moment
    await wait(random.number() * Math.min(30_000, options.executions * 150));
    while (!isFinishing) {
      let last: Run | undefined;
      for (let message = 0; message < messagesPerAttempt && !isFinishing; message++) {
        await governor.untilAllowed(lane, () => isFinishing);
        if (isFinishing) break;
        last = last === undefined ? await start(placeOf(lane)) : await send(last);
        runs.push(last);
        await untilEnd(last);
      }
    }
  };
  // a lane that fails was reported by its request
  const lanes = Promise.all(Array.from({ length: options.executions }, (_, lane) => runLane(lane).catch(() => {})));

  return {
    runs,
    taskIds,
    get running() {
      return runs.filter(({ isOver }) => !isOver);
    },
    async finish(patienceMs) {
      isFinishing = true;
      let areOver = false;
      void lanes.then(() => {
        areOver = true;
      });
      for (const until = governor.elapsed() + patienceMs; !areOver && governor.elapsed() < until; ) await wait(500);
      return runs.filter(({ isOver }) => !isOver);
    },
  };
}
