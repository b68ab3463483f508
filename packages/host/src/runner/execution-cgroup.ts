import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/*
 * A cgroup (v2) for the processes of one execution, if this user may create one: as root, or below a systemd user service. A process
 * stays in it whatever it does to its environment, session or parents, unless it moves itself deliberately.
 */

const namePrefix = "skein-";

/** Creates a cgroup below the one of this process and returns its folder; undefined if that is not possible. */
export function createExecutionCgroup(executionId: string): string | undefined {
  const own = findOwnCgroup();
  if (own === undefined) return undefined;
  const path = join(own, toName(executionId));
  try {
    mkdirSync(path);
    return path;
  } catch {
    return undefined; // no permission
  }
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

function findOwnCgroup(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const own = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    const mount = readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((line) => line.split(" "))
      .find((fields) => fields[fields.indexOf("-") + 1] === "cgroup2");
    const [root, point] = [mount?.[3], mount?.[4]];
    if (own === undefined || root === undefined || point === undefined || own.includes("/..")) return undefined;
    return join(unescapePath(point), own.startsWith(root) ? own.slice(root.length) : own);
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
