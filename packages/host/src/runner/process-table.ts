import { linuxProcesses } from "./linux-processes.ts";
import { createMacosProcesses } from "./macos-processes.ts";

/** A process of this machine. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** It has ended; its parent has not noticed yet. */
  zombie: boolean;
  /** Together with the pid, it identifies a process: pids are reused. */
  startTime: string;
}

/** A process of an execution, and what it uses. */
export interface ExecutionProcess {
  pid: number;
  startTime: string;
  /** Bytes that it shares with no other process, also those that were swapped out. */
  memory: number;
  /** At least one. */
  threads: number;
}

/** Both ends of a TCP connection to this server, from the server's side. */
export interface ConnectionPeer {
  remotePort: number;
  localPort: number;
}

/** What Skein has to know about processes, of one operating system. */
export interface ProcessTable {
  list(): ProcessEntry[];
  /** Null if there is no such process, also for a zombie: the init process of many containers never reaps. */
  readStartTime(pid: number): string | null;
  /** Name of its program, for people; empty if it is not known. */
  readName(pid: number): string;
  /** Changes with each start of the machine; null if it is not known. */
  readBootId(): string | null;
  /** Those of `entries` that carry a mark of one of the executions: see marked-command.ts. */
  findMarked<Id extends string>(entries: readonly ProcessEntry[], executionIds: readonly Id[]): { pid: number; executionId: Id }[];
  /**
   * Lists the processes of an execution that this process has started, without itself, each time that it is called. Remembers what it has
   * seen: cheap enough to be called often.
   */
  followExecution(executionId: string): () => ExecutionProcess[];
  /** How much longer to wait between two such lists than where they are cheapest. */
  readonly costOfLook: number;
  /** Those of `pids` that have the other end of a connection from this machine. */
  findConnected(peer: ConnectionPeer, pids: readonly number[]): number[];
}

/** Of this machine. Systems other than Linux and macOS are not supported; those with a BSD `ps` may work. */
export const processTable: ProcessTable = process.platform === "linux" ? linuxProcesses : createMacosProcesses();
