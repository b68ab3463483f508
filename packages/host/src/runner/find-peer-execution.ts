import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { ExecutionId } from "@skein/contracts";
import { findMarkedProcesses } from "./process-tree.ts";

/** Both ends of a TCP connection to this server, from the server's side. */
export interface ConnectionPeer {
  remotePort: number;
  localPort: number;
}

/**
 * The execution whose process is the peer of a connection; undefined for other programs, on systems other than Linux, and for
 * connections from other machines, containers or users. Scans all processes: for infrequent requests only.
 */
export function findPeerExecution(peer: ConnectionPeer, running: readonly ExecutionId[]): ExecutionId | undefined {
  if (process.platform !== "linux" || running.length === 0) return undefined;
  const links = new Set(findSocketInodes(peer).map((inode) => `socket:[${inode}]`));
  if (links.size === 0) return undefined;
  for (const { pid, executionId } of findMarkedProcesses(running)) if (holdsOne(pid, links)) return executionId;
  return undefined;
}

/** Rows of the kernel's table whose local end is the peer's. Columns: sl, local, remote, state, …, inode. */
function findSocketInodes({ remotePort, localPort }: ConnectionPeer): string[] {
  return ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) =>
    readLines(table).flatMap((line) => {
      const [, local = "", remote = "", , , , , , , inode] = line.trim().split(/\s+/);
      const isPeer = toPort(local) === remotePort && toPort(remote) === localPort;
      return isPeer && inode !== undefined && inode !== "0" ? [inode] : [];
    }),
  );
}

function toPort(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(":") + 1), 16);
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
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
