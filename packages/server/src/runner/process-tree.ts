import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/*
 * Finding every process of an execution. Descent alone misses what was re-parented, the group misses what called
 * setsid, so on Linux every process is also looked at for the marker variable that the agent's environment carries.
 */

export const executionMarker = "SKEIN_EXECUTION_ID";

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  zombie: boolean;
}

/** Null also for one that has ended and that nobody collects: the first process of many containers never does. */
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

/** Pids of the agent, its descendants, their groups and everything that carries the marker of this execution. */
export function findExecutionProcesses(query: { executionId: string; agentPid?: number | undefined }): number[] {
  const entries = process.platform === "linux" ? readLinuxProcesses() : readPsProcesses();
  const found = new Set<number>();
  if (query.agentPid !== undefined) collectDescendants(entries, query.agentPid, found);
  if (process.platform === "linux") {
    for (const entry of entries) if (carriesMarker(entry.pid, query.executionId)) collectDescendants(entries, entry.pid, found);
  }
  found.delete(process.pid);
  return entries.filter((entry) => found.has(entry.pid) && !entry.zombie).map((entry) => entry.pid);
}

/** Ends them for good. What forks while it is being killed is found in the next round. */
export async function killExecutionProcesses(query: { executionId: string; agentPid?: number | undefined }): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const pids = findExecutionProcesses(query);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 10 * (round + 1)));
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it ended on its own in between
  }
}

function collectDescendants(entries: readonly ProcessEntry[], root: number, found: Set<number>): void {
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    if (found.has(pid)) continue;
    found.add(pid);
    // group === pid: a leader whose group is its own; members may have been re-parented to init
    for (const entry of entries) if (entry.parent === pid || entry.group === pid) open.push(entry.pid);
  }
}

function readLinuxProcesses(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = parseStat(readFileSync(`/proc/${name}/stat`, "utf8"));
      entries.push({ pid: Number(name), parent: stat.parent, group: stat.group, zombie: stat.state === "Z" });
    } catch {
      // ended while we looked
    }
  }
  return entries;
}

/** The command name is in parentheses and may hold spaces and parentheses itself: fields count from the last one. */
function parseStat(stat: string): { state: string; parent: number; group: number; startTime: string } {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", parent: Number(fields[1]), group: Number(fields[2]), startTime: fields[19] ?? "" };
}

function readPsProcesses(): ProcessEntry[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,state="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    return pid && parent && group
      ? [{ pid: Number(pid), parent: Number(parent), group: Number(group), zombie: state?.startsWith("Z") ?? false }]
      : [];
  });
}

function carriesMarker(pid: number, executionId: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${executionMarker}=${executionId}`);
  } catch {
    return false;
  }
}
