import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/*
 * A cgroup (v2) for the processes of one execution, if this user may create one: as root, or below a systemd user service. A process
 * stays in it whatever it does to its environment, session or parents, unless it moves itself deliberately.
 */

const namePrefix = "skein-";
const controllers = ["memory", "pids"];
/** The largest of any processor that Linux runs on: a multiple of all others. */
const pageBytes = 65_536;
const seenKills = new Map<string, number>();

/** Where cgroups of executions may be created: the cgroup of this process, and the mount that it is below. */
export interface CgroupPlace {
  own: string;
  mount: string;
}

/**
 * Creates a cgroup and returns its folder; undefined if that is not possible. It is in the nearest cgroup whose children can have limits
 * (with systemd, the one that contains that of the server), otherwise in that of this process.
 */
export function createExecutionCgroup(executionId: string, place: CgroupPlace | undefined = findPlace()): string | undefined {
  if (place === undefined) return undefined;
  const own = listAncestors(place);
  const limitable = own.filter((folder) =>
    controllers.every((one) => read(join(folder, "cgroup.subtree_control")).split(/\s+/).includes(one)),
  );
  for (const parent of [...limitable, place.own]) {
    const path = join(parent, toName(executionId));
    try {
      mkdirSync(path);
      // the kernel allows a move only if the user may write here
      accessSync(join(parent, "cgroup.procs"), constants.W_OK);
      return path;
    } catch {
      removeCgroup(path, executionId); // no permission
    }
  }
  return undefined;
}

/** What the kernel enforces by itself then. Without swap: an execution must not push other programs out of memory. */
export function limitCgroup(path: string, limits: { memoryBytes?: number; processes?: number }): { memory: boolean; processes: boolean } {
  const write = (name: string, value: number): boolean => {
    try {
      writeFileSync(join(path, name), String(value), { flag: "r+" });
      return read(join(path, name)).trim() === String(value);
    } catch {
      return false; // without that controller
    }
  };
  if (limits.memoryBytes !== undefined) write("memory.swap.max", 0);
  return {
    // rounded down to pages, as the kernel does
    memory: limits.memoryBytes !== undefined && write("memory.max", Math.floor(limits.memoryBytes / pageBytes) * pageBytes),
    processes: limits.processes !== undefined && write("pids.max", limits.processes),
  };
}

/** How often the kernel ended a program of a cgroup for lack of memory since the last call. */
export function takeOomKills(path: string, executionId: string): number {
  if (basename(path) !== toName(executionId)) return 0;
  const kills = Number(/^oom_kill (\d+)$/m.exec(read(join(path, "memory.events")))?.[1] ?? 0);
  const before = seenKills.get(path) ?? 0;
  seenKills.set(path, kills);
  return Math.max(0, kills - before);
}

/** Whether the kernel of this machine limits executions by itself: tried with an empty cgroup. */
export function checkCgroupLimits(): boolean {
  const id = `check-${process.pid}`;
  const path = createExecutionCgroup(id);
  if (path === undefined) return false;
  const enforced = limitCgroup(path, { memoryBytes: 1024 ** 3, processes: 100 });
  removeCgroup(path, id);
  return enforced.memory && enforced.processes;
}

/** The executions in whose cgroups a process is, according to its `/proc/<pid>/cgroup`. */
export function listCgroupExecutions(memberships: string): string[] {
  const own = memberships.split("\n").find((line) => line.startsWith("0::/")) ?? "";
  return own.split("/").flatMap((name) => (name.startsWith(namePrefix) ? [name.slice(namePrefix.length)] : []));
}

/** Kills all processes in it atomically, including forks in progress. Not supported before Linux 5.14. */
export function killCgroup(path: string, executionId: string): void {
  if (basename(path) !== toName(executionId)) return;
  try {
    writeFileSync(join(path, "cgroup.kill"), "1", { flag: "r+" });
  } catch {
    // not supported: the processes are killed one by one
  }
}

/** Does nothing while processes are left in it. */
export function removeCgroup(path: string, executionId: string): void {
  if (basename(path) !== toName(executionId)) return;
  try {
    for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isDirectory()) rmdirSync(join(path, entry.name));
    rmdirSync(path);
  } catch {
    // an empty group costs nothing and disappears with a reboot
  }
}

/** From the cgroup of this process to the mount. */
function listAncestors({ own, mount }: CgroupPlace): string[] {
  const folders = [own];
  for (let folder = own; folder !== mount && folder.startsWith(`${mount}/`); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** Empty if it cannot be read. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function findPlace(): CgroupPlace | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const own = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .find((fields) => fields[fields.indexOf("-") + 1] === "cgroup2");
    const [root, point] = [mount?.[3], mount?.[4]];
    if (own === undefined || root === undefined || point === undefined || own.includes("/..")) return undefined;
    const path = join(unescapePath(point), own.startsWith(root) ? own.slice(root.length) : own);
    return { own: path.length > 1 ? path.replace(/\/$/, "") : path, mount: unescapePath(point) };
  } catch {
    return undefined;
  }
}

/** Decodes octal escapes, such as spaces. */
function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function toName(executionId: string): string {
  return namePrefix + executionId;
}
