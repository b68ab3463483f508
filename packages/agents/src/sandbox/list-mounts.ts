import { readFileSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { SandboxMount, SandboxOrder } from "./sandbox-order.ts";

/** Folders where programs of this machine keep sockets and temporary files. */
const emptied = ["/tmp", "/var/tmp", "/run"];

/** Parts of /proc that change or describe the whole machine: root may use them whatever namespace it is in. */
const lockedInProc = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];
const emptyInProc = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/scsi", "/proc/timer_list"];

/** Limit of each private folder, which is in memory. */
const temporaryBytes = 2 * 1024 ** 3;

/** Arguments for bubblewrap: what the sandbox sees of the machine's files. Outer folders come first, because a mount covers what is below it. */
export function listMounts({ mounts }: SandboxOrder): string[] {
  const rules: SandboxMount[] = [
    ...lockedInProc.map((path): SandboxMount => ({ path, access: "read" })),
    ...[...emptyInProc, ...emptied, ...listSockets(mounts)].map((path): SandboxMount => ({ path, access: "none" })),
    ...mounts,
  ];
  const resolved = rules.flatMap((rule) => {
    const path = findPath(rule);
    return path === undefined ? [] : [{ path, args: toArgs(rule, path) }];
  });
  resolved.sort((a, b) => depthOf(a.path) - depthOf(b.path)); // stable: the later of two rules for the same path counts
  // what is written to an empty folder would be lost: it fails instead
  const hidden = mounts.flatMap((mount) => (mount.access === "none" ? (findPath(mount) ?? []) : []));
  const locked = hidden.filter(isFolder).flatMap((path) => ["--remount-ro", path]);
  return ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...resolved.flatMap(({ args }) => args), ...locked];
}

function toArgs(rule: SandboxMount, path: string): readonly string[] {
  if (rule.access === "none")
    return isFolder(path) ? ["--size", String(temporaryBytes), "--tmpfs", path] : ["--ro-bind", "/dev/null", path];
  return [rule.access === "write" ? "--bind" : "--ro-bind", rule.from ?? path, path];
}

/** Mounts do not follow links: the path has to be the real one. */
function findPath(rule: SandboxMount): string | undefined {
  try {
    if (!("from" in rule) || rule.from === undefined) return realpathSync(rule.path);
    statSync(rule.from);
  } catch {
    return undefined;
  }
  try {
    return realpathSync(rule.path);
  } catch {
    return rule.path;
  }
}

const isFolder = (path: string) => statSync(path).isDirectory();
const depthOf = (path: string) => (path === sep ? 0 : path.split(sep).length);

/**
 * Sockets that programs listen on at this moment, except in folders that look empty anyway: a read-only file system does not keep a program
 * from connecting to a socket in it.
 */
function listSockets(mounts: readonly SandboxMount[]): string[] {
  const covered = ["/dev", ...emptied, ...mounts.flatMap((mount) => (mount.access === "none" ? [mount.path] : []))];
  let table = "";
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    // the folders above are what is hidden
  }
  const paths = new Set(table.split("\n").flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? []));
  return [...paths].filter((path) => !covered.some((folder) => path === folder || path.startsWith(`${folder}${sep}`)));
}
