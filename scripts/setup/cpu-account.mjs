import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isAlive } from "../../packages/host/bin/is-alive.mjs";

const groups = "/sys/fs/cgroup/cpuacct";
const prefix = "skein-test-";

/**
 * Measures the CPU time of this process and of those that it starts: `usedMs` returns the milliseconds so far. Where control groups can be
 * created (Linux as root), that includes processes that were detached, still run, or were killed together with their parent.
 */
export function openCpuAccount() {
  const group = joinControlGroup();
  if (group === undefined) return { usedMs: () => ownMs() + endedChildrenMs() };
  return { usedMs: () => Number(readFileSync(path.join(group, "cpuacct.usage"), "utf8")) / 1e6 };
}

function joinControlGroup() {
  if (!existsSync(path.join(groups, "cpuacct.usage"))) return undefined;
  const group = path.join(groups, `${prefix}${process.pid}`);
  try {
    removeUnused();
    mkdirSync(group, { recursive: true });
    writeFileSync(path.join(group, "cgroup.procs"), String(process.pid));
    return group;
  } catch {
    return undefined; // not allowed
  }
}

/** A process cannot remove its own group. */
function removeUnused() {
  for (const name of readdirSync(groups)) {
    if (!name.startsWith(prefix) || isAlive(Number(name.slice(prefix.length)))) continue;
    try {
      rmdirSync(path.join(groups, name));
    } catch {
      // what it started still runs, or another worker was faster
    }
  }
}

function ownMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const msPerTick = 10;

/** Of the processes that have ended and that this one, or one of them, waited for. */
function endedChildrenMs() {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // the program's name may contain spaces and parentheses
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * msPerTick;
}
