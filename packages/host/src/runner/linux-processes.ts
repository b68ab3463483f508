import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { listCgroupExecutions } from "./execution-cgroup.ts";
import { executionMarker } from "./execution-marker.ts";
import { toLimitMark } from "./marked-command.ts";
import type { ConnectionPeer, ExecutionProcess, ProcessEntry, ProcessTable } from "./process-table.ts";

/** Reads `/proc`. */
export const linuxProcesses: ProcessTable = {
  list: () => listPids().flatMap((pid) => readStat(pid) ?? []),
  readStartTime(pid) {
    const stat = readStat(pid);
    return stat === undefined || stat.zombie ? null : stat.startTime;
  },
  readName(pid) {
    // Node gives its first thread, whose name `comm` is, another name than that of the program
    const [started = ""] = (read(`/proc/${pid}/cmdline`) ?? "").split(/[\0 ]/);
    return basename(started) || (read(`/proc/${pid}/comm`)?.trim() ?? "");
  },
  readBootId: () => read("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
  findMarked(entries, executionIds) {
    if (executionIds.length === 0) return [];
    const ids = new Map<string, (typeof executionIds)[number]>();
    for (const id of executionIds) ids.set(id, id).set(toLimitMark(id), id);
    return entries.flatMap(({ pid }) => {
      const found = new Set(readMarks(pid).flatMap((mark) => ids.get(mark) ?? []));
      return [...found].map((executionId) => ({ pid, executionId }));
    });
  },
  followExecution(executionId) {
    const marks = new Set([executionId, toLimitMark(executionId)]);
    /** Start time of those that belong to it, number of looks at the others: what was just forked gets its mark before it does anything. */
    let known = new Map<number, string | number>();
    return () => {
      const found: ExecutionProcess[] = [];
      const next: typeof known = new Map();
      for (const pid of listPids()) {
        if (pid === process.pid) continue;
        let state = known.get(pid) ?? 0;
        if (state === 0 || state === 1) {
          const isMarked = readMarks(pid).some((mark) => marks.has(mark));
          state = isMarked ? (readStat(pid)?.startTime ?? state + 1) : state + 1;
        }
        next.set(pid, state);
        const use = typeof state === "string" ? readUse(pid, state) : undefined;
        if (use !== undefined) found.push(use);
      }
      known = next;
      return found;
    };
  },
  costOfLook: 1,
  findConnected(peer, pids) {
    const links = new Set(findSocketInodes(peer).map((inode) => `socket:[${inode}]`));
    return links.size === 0 ? [] : pids.filter((pid) => holdsOne(pid, links));
  },
};

function listPids(): number[] {
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Undefined for a process that has ended. Files in memory are not counted: several processes share them. */
function readUse(pid: number, startTime: string): ExecutionProcess | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.zombie || stat.startTime !== startTime) return undefined;
  const status = read(`/proc/${pid}/status`) ?? "";
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { pid, startTime, memory: (field("RssAnon") + field("VmSwap")) * 1024, threads: Math.max(1, field("Threads")) };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return undefined; // it has exited, or belongs to another user
  }
}

/** The command name is in parentheses and may contain spaces and parentheses: fields start after the last one. */
function readStat(pid: number): ProcessEntry | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(fields[1]), group: Number(fields[2]), zombie: fields[0] === "Z", startTime: fields[19] ?? "" };
}

/** The ids and limits that mark a process. All of them: an agent can set variables, but not remove the others. */
function readMarks(pid: number): string[] {
  const prefix = `${executionMarker}=`;
  const variables = (read(`/proc/${pid}/environ`) ?? "").split("\0").filter((variable) => variable.startsWith(prefix));
  const limits = /^Max file locks +(\d+) +(\d+)/m.exec(read(`/proc/${pid}/limits`) ?? "") ?? [];
  const groups = listCgroupExecutions(read(`/proc/${pid}/cgroup`) ?? "");
  return [...variables.map((variable) => variable.slice(prefix.length)), ...limits.slice(1), ...groups];
}

/** Rows of the kernel's table whose local end is the peer's. Columns: sl, local, remote, state, …, inode. */
function findSocketInodes({ remotePort, localPort }: ConnectionPeer): string[] {
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => read(table)?.split("\n").slice(1) ?? []);
  return rows.flatMap((line) => {
    const [, local = "", remote = "", , , , , , , inode] = line.trim().split(/\s+/);
    const isPeer = toPort(local) === remotePort && toPort(remote) === localPort;
    return isPeer && inode !== undefined && inode !== "0" ? [inode] : [];
  });
}

function toPort(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}

function holdsOne(pid: number, links: ReadonlySet<string>): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => links.has(readlinkOrNothing(`${folder}/${name}`)));
  } catch {
    return false; // exited during the scan
  }
}

function readlinkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
