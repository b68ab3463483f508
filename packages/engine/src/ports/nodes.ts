import type { DrainProgress, ExecutionId, HostId, NodeId } from "@skein/contracts";

/** A server in the table of servers. */
export interface StoredNode {
  id: NodeId;
  name: string;
  /** Where the other servers reach it; empty until it listens. */
  internalUrl: string;
  version: string;
  state: "active" | "stopped" | "lost" | "removed";
  startedAt: number;
  /** When its lease began the last time (epoch ms of the database). */
  seenAt: number;
  /** Whether its lease has not ended, by the clock of the database. */
  isAlive: boolean;
  runningExecutions: number;
  /** Whether it starts no agents on its machine. Kept when it stops, until it is activated. */
  isDraining: boolean;
  /** What it still has, as of its last sign of life; null if it is not draining. */
  drain: DrainProgress | null;
}

/** A browser session, without its secrets. */
export interface StoredBrowserSession {
  cookieHash: string;
  secretHash: string;
  createdAt: number;
  expiresAt: number;
}

/**
 * Several servers ("nodes") on one database. Each holds a lease that it renews; all times are those of the database. A fence is a number
 * that grows whenever a node registers, and whenever the others consider it lost: every transaction of a node checks its fence first, so
 * that a node that was paused cannot write what it believed before. Only the storage of a server on Postgres has this.
 */
export interface StorageNodes {
  readonly id: NodeId;
  /** Starts a lease with a new fence. Transactions reject with the fault `lease-lost` before it, and after the fence was replaced. */
  register(input: { name: string; version: string }): Promise<void>;
  /**
   * Extends the lease. Returns false if the node was considered lost: it must drop what it believes and register again. Rejects if the
   * database cannot be reached. `drain`: what a draining node still has.
   */
  renew(input: { internalUrl: string; drain?: DrainProgress | null }): Promise<boolean>;
  /** Ends the lease of a node that stops. */
  leave(): Promise<void>;
  list(): Promise<StoredNode[]>;
  /** Begins or ends to drain a node, and notifies it. Returns false if there is no such node. */
  setDraining(input: { id: NodeId; draining: boolean }): Promise<boolean>;
  /** Marks nodes whose lease has ended as lost, and replaces their fences. Returns those. */
  markLost(): Promise<NodeId[]>;
  /**
   * Gives up a node that has been silent for `silentMs`: this node becomes the owner of its running executions. Returns them; undefined if
   * the node is alive, was heard of since, or was already given up.
   */
  remove(input: { id: NodeId; silentMs: number }): Promise<ExecutionId[] | undefined>;
  /** Makes this node the one that holds the connection of a worker. */
  claimHost(query: { id: HostId }): Promise<void>;
  /** The connection of a worker has ended, unless another node holds a newer one. */
  releaseHost(query: { id: HostId }): Promise<void>;
  /**
   * Becomes the owner of running executions on workers that are connected to this node, if their owner has stopped, was lost or was given
   * up. Returns them. An owner whose lease has ended must have been marked as lost before: its fence is replaced by that.
   */
  takeOver(): Promise<ExecutionId[]>;
  /** Running executions of this node on workers that are connected to another node, which is alive and not draining. */
  listTransferable(): Promise<ExecutionId[]>;
  /** Gives up an execution of `listTransferable`, which this node does not follow any more: `takeOver` of the other node takes it. */
  transfer(query: { executionId: ExecutionId }): Promise<void>;
  /** Projects and attempts without a node are from a time when the database had one server: this node takes them. */
  adopt(): Promise<void>;
  /** The node that an id belongs to: of a project, task, attempt, execution, approval, queued message or comment. */
  findNodeOf(query: { id: string }): Promise<NodeId | undefined>;
  /** The node that holds the connection of the worker that an attempt, task or execution is on; undefined if there is none. */
  findConnectionOf(query: { id: string }): Promise<NodeId | undefined>;
  /** Stores a stop for the execution's owner. */
  requestStop(input: { executionId: ExecutionId; at: number }): Promise<void>;
  /** Running executions of this node for which a stop is stored, with its time. */
  listStopRequests(): Promise<{ executionId: ExecutionId; at: number }[]>;
  /** Settings that hold for all nodes. */
  listSettings(): Promise<{ name: string; value: string }[]>;
  /** Changes one of them, in a transaction, and notifies the other nodes. */
  changeSetting(input: { name: string; change(before: string | null): string }): Promise<void>;
  /** A secret that only the nodes know. */
  readSecret(): Promise<string>;
  listSessions(): Promise<StoredBrowserSession[]>;
  putSessions(sessions: readonly StoredBrowserSession[]): Promise<void>;
  deleteSessions(query: { cookieHashes: readonly string[] }): Promise<void>;
  /** Calls the listeners of `onChanged` at the other nodes. */
  wakeOthers(): Promise<void>;
  /** Called when another node has something for this one: a stop, ended sessions. */
  onChanged(listener: () => void): void;
  /** Called when the fence turned out to be replaced. */
  onLost(listener: () => void): void;
}
