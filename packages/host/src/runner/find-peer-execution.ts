import type { ExecutionId } from "@skein/contracts";
import { type ConnectionPeer, processTable } from "./process-table.ts";
import { findMarkedProcesses } from "./process-tree.ts";

/**
 * The execution whose process is the peer of a connection; undefined for other programs, and for connections from other machines,
 * containers or users. Scans all processes: for infrequent requests only.
 */
export function findPeerExecution(peer: ConnectionPeer, running: readonly ExecutionId[]): ExecutionId | undefined {
  if (running.length === 0) return undefined;
  const marked = findMarkedProcesses(running);
  const connected = new Set(
    processTable.findConnected(
      peer,
      marked.map(({ pid }) => pid),
    ),
  );
  return marked.find(({ pid }) => connected.has(pid))?.executionId;
}
