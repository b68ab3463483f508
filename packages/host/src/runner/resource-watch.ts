import type { ExceededResource, LimitedResource } from "@skein/contracts";
import { takeOomKills } from "./execution-cgroup.ts";
import { type ExecutionProcess, processTable } from "./process-table.ts";
import { killExecutionProcesses, signalProcess } from "./process-tree.ts";

/*
 * Keeps the processes of one execution within its limits (L7). The kernel does it where the execution's cgroup has limits. Everywhere, the
 * runner measures them, and ends what has grown most since the execution used less than half of a limit: usually one tool, and the agent
 * continues. A limit on address space is no alternative: JavaScript engines, Go and Java reserve far more than they use. Neither is one on
 * the number of processes: Linux counts all processes of the user for it.
 */

/** What all processes of an execution may use together. Absent: no limit. */
export interface RunnerLimits {
  memoryBytes?: number;
  /** With their threads. */
  processes?: number;
}

export interface OverLimit extends ExceededResource {
  /** Names of the programs that were ended; empty if the kernel ended one. */
  names: string[];
  more: number;
}

export interface ResourceWatch {
  /** Looks once more; the last time that a limit was exceeded, if it explains an end at this moment. */
  explainEnd(): ExceededResource | undefined;
  stop(): void;
}

const calmMs = 1000;
/** More than half of a limit is used. */
const closeMs = 100;
const mostNames = 5;
const explainsForMs = 5000;
const endRounds = 20;
const mostProcessIncidents = 4;
/** What runs away is not in a moment that is this long ago. */
const calmForMs = 2000;

export function watchResources(input: {
  executionId: string;
  limits: RunnerLimits;
  cgroup: string | undefined;
  onOver(over: OverLimit): void;
}): ResourceWatch {
  const { executionId, limits, cgroup, onOver } = input;
  if (limits.memoryBytes === undefined && limits.processes === undefined) return { explainEnd: () => undefined, stop: () => {} };
  const listProcesses = processTable.followExecution(executionId);
  const calm = createCalmMoments();
  let processIncidents = 0;
  let last: { over: ExceededResource; at: number } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  async function look(): Promise<void> {
    const processes = listProcesses();
    const memory = sum(processes.map(({ memory }) => memory));
    const count = sum(processes.map(({ threads }) => threads));
    for (let kills = cgroup === undefined ? 0 : takeOomKills(cgroup, executionId); kills > 0; kills--) {
      report("memory", memory, limits.memoryBytes, []);
    }
    if (memory > (limits.memoryBytes ?? Infinity)) endGrown(processes, memory);
    if (count >= (limits.processes ?? Infinity)) await endNew(processes, count);
    const share = Math.max(memory / (limits.memoryBytes ?? Infinity), count / (limits.processes ?? Infinity));
    if (share < 0.5) calm.remember(processes);
    timer = isStopped ? undefined : setTimeout(next, share < 0.5 ? calmMs * processTable.costOfLook : closeMs * processTable.costOfLook);
  }

  function next(): void {
    void look().catch((error: unknown) => {
      console.error("the processes of the execution could not be measured", error);
      timer = isStopped ? undefined : setTimeout(next, calmMs);
    });
  }

  /** Ends what has grown most, until the rest is within the limit. */
  function endGrown(processes: readonly ExecutionProcess[], used: number): void {
    const before = calm.find();
    const growth = (process: ExecutionProcess): number => process.memory - (before.get(toKey(process)) ?? 0);
    const ended: ExecutionProcess[] = [];
    let left = used;
    for (const process of processes.toSorted((a, b) => growth(b) - growth(a))) {
      if (left <= (limits.memoryBytes ?? Infinity)) break;
      ended.push(process);
      left -= process.memory;
    }
    const names = ended.map(({ pid }) => processTable.readName(pid));
    for (const process of ended) end(process);
    report("memory", used, limits.memoryBytes, names);
  }

  /** Ends everything that was started since then: processes that multiply have many parents. */
  async function endNew(first: readonly ExecutionProcess[], used: number): Promise<void> {
    const before = calm.find();
    const isNew = (process: ExecutionProcess): boolean => !before.has(toKey(process));
    let fresh = first.filter(isNew);
    const names = fresh.map(({ pid }) => processTable.readName(pid));
    for (let round = 0; fresh.length > 0 && round < endRounds; round++) {
      for (const process of fresh) end(process);
      await new Promise((resolve) => setTimeout(resolve, round));
      fresh = listProcesses().filter(isNew);
    }
    const isOver =
      ++processIncidents >= mostProcessIncidents || sum(listProcesses().map(({ threads }) => threads)) >= (limits.processes ?? Infinity);
    // it multiplies faster than this, again and again, or was there all the time
    if (isOver) await killExecutionProcesses({ executionId, cgroup });
    report("processes", used, limits.processes, names);
  }

  function report(resource: LimitedResource, used: number, limit = 0, names: string[]): void {
    const over: ExceededResource = { resource, limit, used: Math.max(used, limit) };
    last = { over, at: Date.now() };
    const unique = [...new Set(names)].filter((name) => name !== "");
    onOver({ ...over, names: unique.slice(0, mostNames), more: Math.max(0, unique.length - mostNames) });
  }

  next();
  return {
    explainEnd() {
      const kills = cgroup === undefined ? 0 : takeOomKills(cgroup, executionId);
      if (kills > 0) report("memory", 0, limits.memoryBytes, []);
      return last !== undefined && Date.now() - last.at < explainsForMs ? last.over : undefined;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** Memory by process, at moments when the execution used less than half of each limit. */
function createCalmMoments() {
  let moments: { at: number; memory: ReadonlyMap<string, number> }[] = [];
  const findOld = (now: number) => moments.findLast(({ at }) => at <= now - calmForMs);
  return {
    remember(processes: readonly ExecutionProcess[]): void {
      const at = Date.now();
      const old = findOld(at);
      moments = moments.filter((moment) => moment.at >= (old?.at ?? 0));
      moments.push({ at, memory: new Map(processes.map((process) => [toKey(process), process.memory])) });
    },
    /** The last one that is long enough ago, otherwise the first. */
    find: (): ReadonlyMap<string, number> => (findOld(Date.now()) ?? moments[0])?.memory ?? new Map(),
  };
}

function end({ pid, startTime }: ExecutionProcess): void {
  // the pid may have been reused
  if (processTable.readStartTime(pid) === startTime) signalProcess(pid, "SIGKILL");
}

const toKey = ({ pid, startTime }: ExecutionProcess): string => `${pid} ${startTime}`;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
