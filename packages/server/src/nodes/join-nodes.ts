import { setTimeout as wait } from "node:timers/promises";
import { type DrainProgress, type ExecutionId, findStorageFault, type NodeId } from "@skein/contracts";
import { ServiceError, type StorageNodes, type StoredNode } from "@skein/engine";
import type { Logger } from "../logger.ts";

/** Renewals per lease: two may be missed. */
const renewalsPerLease = 3;
/** How long a start may wait for a database that has no time for it. */
const startPatienceMs = 60_000;
const startRetryMs = 500;
/** The clock of the database decides whether a lease has ended. */
const expiryMarginMs = 50;

/** This server as one of several that share a database. */
export interface NodeMembership {
  readonly id: NodeId;
  readonly name: string;
  /** Whether this server is being drained, as of the last renewal. */
  isDraining(): boolean;
  /** Whether another server is alive and not being drained. */
  hasOthers(): boolean;
  /** Begins or ends to drain a server. */
  setDraining(id: NodeId, draining: boolean): Promise<void>;
  /** Where the other servers reach this one, once it listens. */
  announce(internalUrl: string): Promise<void>;
  /** The servers as of the last renewal. */
  list(): readonly StoredNode[];
  /** Undefined if it is not known. */
  find(id: NodeId): StoredNode | undefined;
  /** The server if it is alive and listens: as of the last renewal, or, if it was not then, as of now. */
  findAlive(id: NodeId): Promise<StoredNode | undefined>;
  /** Like `findAlive`; throws a `ServiceError` that names the server if it is not. */
  getAlive(id: NodeId): Promise<StoredNode>;
  /** Called after each renewal. Returns a function that removes it. */
  onRenewed(listener: () => void): () => void;
  /** Gives up a server that is not alive: its executions are interrupted. */
  remove(id: NodeId): Promise<void>;
  close(): Promise<void>;
}

/** What happens to the executions of this server. */
export interface NodeDuties {
  /** The other servers considered this one lost: its state may be outdated. */
  release(): Promise<void>;
  /** Finds executions that this server owns and does not follow. */
  reconcile(): Promise<unknown>;
  /** This server has become the owner of executions on workers. */
  take(executions: readonly ExecutionId[]): void;
  /** Reads what other servers have changed, before anything is decided. */
  synchronise(): Promise<void>;
  /** Stops that other servers have stored for executions of this one. */
  stop(requests: readonly { executionId: ExecutionId }[]): void;
  /** What this server still has, while it is being drained. */
  progress(): DrainProgress;
  /** Hands over what other servers can do, if this one is being drained. */
  handOver(): Promise<void>;
}

/**
 * Renews the lease of this server, and detects when others have lost theirs. The server is registered and
 * can write from the beginning; `start` begins to act on what happens to the others.
 *
 * The lease is renewed by itself: nothing that may wait, for the lock of writers, for files or for another machine, is between two renewals.
 */
export async function joinNodes(input: {
  nodes: StorageNodes;
  name: string;
  version: string;
  leaseMs: number;
  /** How long a lost server may be away before its executions are interrupted. */
  giveUpMs: number;
  logger: Logger;
}): Promise<NodeMembership & { start(duties: NodeDuties): void }> {
  const { nodes, logger } = input;
  const listeners = new Set<() => void>();
  let known: readonly StoredNode[] = [];
  let internalUrl = "";
  let duties: NodeDuties | undefined;
  let isClosed = false;
  let isUnreachable = false;
  let mustReconcile = false;
  let expiring: NodeJS.Timeout | undefined;

  await registerAtStart();
  known = await nodes.list();

  /** The other servers may keep the database busy, or it is being restarted. */
  async function registerAtStart(): Promise<void> {
    for (const until = Date.now() + startPatienceMs; ; await wait(startRetryMs)) {
      try {
        return await nodes.register(input);
      } catch (error) {
        const fault = findStorageFault(error);
        const mayPass = fault === "database-unreachable" || fault === "database-overloaded";
        if (!mayPass || Date.now() > until) throw error;
      }
    }
  }

  const registration = inTurn(async () => {
    // noticed twice: by a transaction and by the heartbeat
    if (await nodes.renew({ internalUrl })) return;
    logger.warn("the other servers considered this one lost: it registers again", { nodeId: nodes.id });
    await duties?.release();
    await nodes.register(input);
    await nodes.renew({ internalUrl });
    logger.info("this server is registered again", { nodeId: nodes.id });
    mustReconcile = true;
    heartbeat.start();
  }, "this server could not register again yet");

  const heartbeat = inTurn(async () => {
    if (!(await nodes.renew({ internalUrl, drain: isDraining() ? (duties?.progress() ?? null) : null }))) registration.start();
    await refresh();
    isUnreachable = false;
    lookAfterAll.start();
  });

  const lookAfterAll = inTurn(async () => {
    await refresh();
    if (mustReconcile) reconciliation.start();
    await lookAfterOthers();
    await duties?.synchronise();
    await takeOver();
    duties?.stop(await nodes.listStopRequests());
    await duties?.handOver();
  });

  /** Its own: starting what was left behind takes long. */
  const reconciliation = inTurn(async () => {
    mustReconcile = false;
    try {
      await duties?.reconcile();
    } catch (error) {
      mustReconcile = true;
      throw error;
    }
  });

  async function refresh(): Promise<void> {
    const wasDraining = isDraining();
    known = await nodes.list();
    if (isDraining() !== wasDraining) {
      logger.info(wasDraining ? "this server starts agents again" : "this server is being drained", { nodeId: nodes.id });
      // reports what it still has
      heartbeat.start();
    }
    for (const listener of listeners) listener();
    watchLeases();
  }

  /** Agents on workers are looked after by any server that they can reach. */
  async function takeOver(): Promise<void> {
    if (duties === undefined) return;
    const executions = await nodes.takeOver();
    if (executions.length === 0) return;
    logger.warn("executions on workers continue under this server", { executions });
    duties.take(executions);
  }

  /** Notices the end of a lease when it happens, not with the next renewal. */
  function watchLeases(): void {
    clearTimeout(expiring);
    const now = find(nodes.id)?.seenAt ?? 0;
    const ends = known.flatMap(({ id, isAlive, seenAt }) => (isAlive && id !== nodes.id ? [seenAt + input.leaseMs - now] : []));
    if (ends.length > 0 && !isClosed) expiring = setTimeout(heartbeat.start, Math.max(0, Math.min(...ends)) + expiryMarginMs).unref();
  }

  async function lookAfterOthers(): Promise<void> {
    if (known.some(({ id, state, isAlive }) => id !== nodes.id && state === "active" && !isAlive)) {
      for (const id of await nodes.markLost()) logger.warn("a server is lost: its lease has ended", { nodeId: id, name: find(id)?.name });
      known = await nodes.list();
    }
    const own = find(nodes.id)?.seenAt ?? 0;
    const overdue = known.filter(({ state, seenAt }) => state === "lost" && own - seenAt > input.giveUpMs);
    for (const { id } of overdue) await giveUp(id, input.giveUpMs);
  }

  async function giveUp(id: NodeId, silentMs: number): Promise<boolean> {
    const executions = await nodes.remove({ id, silentMs });
    if (executions === undefined) return false;
    logger.warn("a server was given up", { nodeId: id, name: find(id)?.name, executions });
    mustReconcile ||= executions.length > 0;
    if (mustReconcile) reconciliation.start();
    return true;
  }

  const find = (id: NodeId): StoredNode | undefined => known.find((node) => node.id === id);
  const isDraining = (): boolean => find(nodes.id)?.isDraining ?? false;

  async function findAlive(id: NodeId): Promise<StoredNode | undefined> {
    const isUsable = (node: StoredNode | undefined) => node?.isAlive && node.internalUrl !== "";
    if (!isUsable(find(id))) known = await nodes.list();
    const node = find(id);
    return isUsable(node) ? node : undefined;
  }

  /** Runs one at a time; a start while it runs is followed by another run. `failure`: what a rejection means, once. */
  function inTurn(work: () => Promise<void>, failure?: string): { start(): void; ended(): Promise<void> } {
    let running: Promise<void> | undefined;
    let isWanted = false;
    const run = async (): Promise<void> => {
      while (isWanted && !isClosed) {
        isWanted = false;
        await work().catch((error: unknown) => {
          // a database that cannot be reached is reported by its own watch
          if (!isUnreachable && !isClosed) logger.warn(failure ?? "the other servers could not be looked after", { error });
          isUnreachable = true;
        });
      }
    };
    return {
      start() {
        isWanted = true;
        running ??= run().finally(() => {
          running = undefined;
        });
      },
      ended: async () => await running,
    };
  }

  nodes.onLost(registration.start);
  nodes.onChanged(lookAfterAll.start);
  const timer = setInterval(heartbeat.start, input.leaseMs / renewalsPerLease).unref();

  return {
    id: nodes.id,
    name: input.name,
    isDraining,
    hasOthers: () => known.some((node) => node.id !== nodes.id && node.isAlive && !node.isDraining),
    async setDraining(id, draining) {
      if (!(await nodes.setDraining({ id, draining }))) throw new ServiceError("not-found", { code: "node-not-found", id });
      await refresh();
    },
    start(given) {
      duties = given;
      heartbeat.start();
    },
    async announce(url) {
      internalUrl = url;
      await nodes.renew({ internalUrl });
      // so that they connect to it
      await nodes.wakeOthers();
    },
    list: () => known,
    find,
    findAlive,
    async getAlive(id) {
      const node = await findAlive(id);
      if (node !== undefined) return node;
      throw new ServiceError("unavailable", { code: "node-unreachable", name: find(id)?.name ?? id });
    },
    onRenewed(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async remove(id) {
      const node = (await nodes.list()).find((one) => one.id === id);
      if (node === undefined) throw new ServiceError("not-found", { code: "node-not-found", id });
      if (node.state === "removed") return;
      if (!(await giveUp(id, 0))) throw new ServiceError("conflict", { code: "node-alive", name: node.name });
      known = await nodes.list();
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(expiring);
      await Promise.all([heartbeat, registration, lookAfterAll].map((one) => one.ended()));
      await nodes.leave().catch((error: unknown) => logger.warn("the lease could not be ended", { error }));
    },
  };
}
