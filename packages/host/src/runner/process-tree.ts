import { collectDescendants } from "./descendants.ts";
import { killCgroup } from "./execution-cgroup.ts";
import { type ProcessEntry, processTable } from "./process-table.ts";

/*
 * Finds every process of an execution. The parent chain misses re-parented processes, the process group misses those that called
 * setsid, and an environment variable misses those that cleared it. So on Linux everything that an agent starts is in a cgroup, if this
 * user may create one, and carries an inherited mark (see marked-command.ts).
 */

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export interface ExecutionProcessQuery {
  executionId: string;
  /** The execution's first processes, if this process started them. */
  roots?: readonly ProcessIdentity[] | undefined;
  /** The folder of its cgroup, if it has one. */
  cgroup?: string | undefined;
}

export interface ProcessIdentity {
  pid: number;
  /** Null if the system does not report it. */
  startTime: string | null;
}

/**
 * Pids of the first processes, their descendants and groups, of everything in the execution's cgroup, and of everything that carries
 * one of its marks.
 */
export function findExecutionProcesses(query: ExecutionProcessQuery): number[] {
  return findProcesses(query).map(({ pid }) => pid);
}

function findProcesses({ executionId, roots = [] }: ExecutionProcessQuery): ProcessEntry[] {
  const entries = processTable.list();
  const found = new Set<number>();
  for (const root of roots) if (!isReused(root, entries)) collectDescendants(entries, root.pid, found);
  for (const { pid } of processTable.findMarked(entries, [executionId])) collectDescendants(entries, pid, found);
  found.delete(process.pid);
  return entries.filter((entry) => found.has(entry.pid) && !entry.zombie);
}

/** The processes of several executions in one scan. */
export function findMarkedProcesses<Id extends string>(executionIds: readonly Id[]): { pid: number; executionId: Id }[] {
  const entries = processTable.list();
  const marked = Map.groupBy(processTable.findMarked(entries, executionIds), ({ executionId }) => executionId);
  return [...marked].flatMap(([executionId, processes]) => {
    const found = new Set<number>();
    for (const { pid } of processes) collectDescendants(entries, pid, found);
    return [...found].map((pid) => ({ pid, executionId }));
  });
}

/** The process is gone and its pid, which is also its group id, belongs to another process. */
function isReused({ pid, startTime }: ProcessIdentity, entries: readonly ProcessEntry[]): boolean {
  const entry = entries.find((one) => one.pid === pid);
  return entry !== undefined && startTime !== null && entry.startTime !== startTime;
}

/** Kills them (SIGKILL), and repeats until processes forked in the meantime are gone, too. */
export async function killExecutionProcesses(query: ExecutionProcessQuery): Promise<void> {
  for (let round = 0; round < 20; round++) {
    if (query.cgroup !== undefined) killCgroup(query.cgroup, query.executionId);
    const processes = findProcesses(query);
    if (processes.length === 0) return;
    for (const { pid, startTime } of processes) {
      // the pid may have been reused
      if (processTable.readStartTime(pid) === startTime) signalProcess(pid, "SIGKILL");
    }
    await new Promise((resolve) => setTimeout(resolve, 10 * (round + 1)));
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it exited in the meantime
  }
}
