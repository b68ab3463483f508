import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isInCgroup, killCgroup } from "./execution-cgroup.ts";
import { toLimitMark } from "./marked-command.ts";

/*
 * Finds every process of an execution. The parent chain misses re-parented processes, the process group misses those that called
 * setsid, and an environment variable misses those that cleared it. So on Linux everything that an agent starts is in a cgroup, if this
 * user may create one, and carries an inherited mark (see marked-command.ts).
 */

export const executionMarker = "SKEIN_EXECUTION_ID";

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  zombie: boolean;
  startTime: string | null;
}

/** Null also for a zombie: the init process of many containers never reaps. */
export function readProcessStartTime(pid: number): string | null {
  try {
    const { state, startTime } = parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
    return state === "Z" ? null : startTime;
  } catch {
    return null;
  }
}

export function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

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
  const entries = process.platform === "linux" ? readLinuxProcesses() : readPsProcesses();
  const found = new Set<number>();
  for (const root of roots) if (!isReused(root, entries)) collectDescendants(entries, root.pid, found);
  if (process.platform === "linux") {
    const mark = toLimitMark(executionId);
    for (const { pid } of entries) if (carriesMark(pid, executionId, mark)) collectDescendants(entries, pid, found);
  }
  found.delete(process.pid);
  return entries.filter((entry) => found.has(entry.pid) && !entry.zombie);
}

/** The processes of several executions in one scan. Linux only. */
export function findMarkedProcesses<Id extends string>(executionIds: readonly Id[]): { pid: number; executionId: Id }[] {
  const entries = readLinuxProcesses();
  const marks = executionIds.map((executionId) => ({ executionId, limitMark: toLimitMark(executionId) }));
  return marks.flatMap(({ executionId, limitMark }) => {
    const found = new Set<number>();
    for (const { pid } of entries) if (carriesMark(pid, executionId, limitMark)) collectDescendants(entries, pid, found);
    return [...found].map((pid) => ({ pid, executionId }));
  });
}

/** The process is gone and its pid, which is also its group id, belongs to another process. */
function isReused({ pid, startTime }: ProcessIdentity, entries: readonly ProcessEntry[]): boolean {
  const entry = entries.find((one) => one.pid === pid);
  return entry !== undefined && startTime !== null && entry.startTime !== null && entry.startTime !== startTime;
}

/** Kills them (SIGKILL), and repeats until processes forked in the meantime are gone, too. */
export async function killExecutionProcesses(query: ExecutionProcessQuery): Promise<void> {
  for (let round = 0; round < 20; round++) {
    if (query.cgroup !== undefined) killCgroup(query.cgroup, query.executionId);
    const processes = findProcesses(query);
    if (processes.length === 0) return;
    for (const { pid, startTime } of processes) {
      // the pid may have been reused
      if (startTime === null || readProcessStartTime(pid) === startTime) signalProcess(pid, "SIGKILL");
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

function collectDescendants(entries: readonly ProcessEntry[], root: number, found: Set<number>): void {
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    // group === pid: a group leader; members may have been re-parented to init
    for (const entry of entries) if (entry.parent === pid || entry.group === pid) open.push(entry.pid);
  }
}

function readLinuxProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = parseStat(readFileSync(`/proc/${name}/stat`, "utf8"));
      entries.push({
        pid: Number(name),
        parent: stat.parent,
        group: stat.group,
        zombie: stat.state === "Z",
        startTime: stat.startTime,
      });
    } catch {
      // exited during the scan
    }
  }
  return entries;
}

/** The command name is in parentheses and may contain spaces and parentheses: fields start after the last one. */
function parseStat(stat: string): { state: string; parent: number; group: number; startTime: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", parent: Number(fields[1]), group: Number(fields[2]), startTime: fields[19] ?? "" };
}

function readPsProcesses(): ProcessEntry[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    return pid && parent && group
      ? [{ pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state?.startsWith("Z") ?? false, startTime: null }]
      : [];
  });
}

function carriesMark(pid: number, executionId: string, limitMark: string): boolean {
  try {
    if (readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${executionMarker}=${executionId}`)) return true;
  } catch {
    // another user's process, or its environment is hidden
  }
  try {
    if (readFileSync(`/proc/${pid}/limits`, "latin1").includes(` ${limitMark} `)) return true;
    return isInCgroup(readFileSync(`/proc/${pid}/cgroup`, "latin1"), executionId);
  } catch {
    return false;
  }
}
