import { readFileSync, realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import type { SandboxOrder } from "./sandbox-order.ts";

/** Folders where programs of this machine keep sockets and temporary files. */
const emptied = ["/tmp", "/var/tmp", "/run"];

/** Parts of /proc that change or describe the whole machine: root may use them whatever namespace it is in. */
const lockedInProc = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];
const emptyInProc = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/scsi", "/proc/timer_list"];

/** Bytes that the private folders may hold: they are in memory. */
const temporaryBytes = 2 * 1024 ** 3;

interface Mount {
  path: string;
  args: readonly string[];
}

/**
 * Arguments for bubblewrap: what the sandbox sees of the machine's files. Outer folders come first, because a mount covers what is
 * below it.
 */
export function listMounts(order: SandboxOrder): string[] {
  const mounts: Mount[] = [];
  const add = (path: string, toArgs: (path: string, isFolder: boolean) => readonly string[]) => {
    const place = findPlace(path);
    if (place !== undefined) mounts.push({ path: place.path, args: toArgs(place.path, place.isFolder) });
  };
  for (const path of lockedInProc) add(path, (real) => ["--ro-bind", real, real]);
  for (const path of [...emptyInProc, ...emptied]) add(path, toEmpty);
  for (const path of [...order.hidden, ...listSockets(order)]) add(path, toEmpty);
  for (const path of order.visible) add(path, (real) => ["--ro-bind", real, real]);
  for (const path of order.writable) add(path, (real) => ["--bind", real, real]);
  for (const path of order.protected) add(path, (real) => ["--ro-bind", real, real]);
  // a stable sort: of two mounts at the same place, the later one in the list above counts
  mounts.sort((a, b) => depthOf(a.path) - depthOf(b.path));
  return ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", ...mounts.flatMap(({ args }) => args)];
}

function toEmpty(path: string, isFolder: boolean): readonly string[] {
  return isFolder ? ["--size", String(temporaryBytes), "--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function depthOf(path: string): number {
  return path === sep ? 0 : path.split(sep).length;
}

function findPlace(path: string): { path: string; isFolder: boolean } | undefined {
  try {
    const real = realpathSync(path);
    return { path: real, isFolder: statSync(real).isDirectory() };
  } catch {
    return undefined;
  }
}

/**
 * Sockets that programs listen on at this moment, outside of folders that are empty or writable anyway: a read-only file system does not
 * keep a program from connecting to a socket in it.
 */
function listSockets({ hidden, writable }: SandboxOrder): string[] {
  const covered = ["/dev", ...emptied, ...hidden, ...writable];
  let table = "";
  try {
    table = readFileSync("/proc/net/unix", "utf8");
  } catch {
    // without it, the folders above are what is hidden
  }
  const paths = new Set(table.split("\n").flatMap((line) => /^\S+ \S+ \S+ \S+ \S+ \S+ +\d+ (\/.*)$/.exec(line)?.[1] ?? []));
  return [...paths].filter((path) => !covered.some((folder) => path === folder || path.startsWith(`${folder}${sep}`)));
}
