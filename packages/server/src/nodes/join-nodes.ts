import type { ExecutionId, NodeId } from "@skein/contracts";
import { ServiceError, type StorageNodes, type StoredNode } from "@skein/engine";
import type { Logger } from "../logger.ts";

/** Renewals per lease: two may be missed. */
const renewalsPerLease = 3;
/** The clock of the database decides whether a lease has ended. */
const expiryMarginMs = 50;

/** This server as one of several that share a database. */
export interface NodeMembership {
  readonly id: NodeId;
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
}

/**
 * Renews the lease of this server, and detects when others have lost theirs. The server is registered and
 * can write from the beginning; `start` begins to act on what happens to the others.
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
  let rejoining: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let isWanted = false;
  let expiring: NodeJS.Timeout | undefined;

  await nodes.register(input);
  known = await nodes.list();

  function rejoin(): Promise<void> {
    rejoining ??= (async () => {
      logger.warn("the other servers considered this one lost: it registers again", { nodeId: nodes.id });
      await duties?.release();
      await nodes.register(input);
      await nodes.renew({ internalUrl });
      await duties?.reconcile();
      logger.info("this server is registered again", { nodeId: nodes.id });
    })().finally(() => {
      rejoining = undefined;
    });
    return rejoining;
  }

  async function renew(): Promise<void> {
    if (!(await nodes.renew({ internalUrl })) && !isClosed) await rejoin();
    known = await nodes.list();
    isUnreachable = false;
    for (const listener of listeners) listener();
    await lookAfterOthers();
    await duties?.synchronise();
    await takeOver();
    duties?.stop(await nodes.listStopRequests());
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
    if (ends.length > 0 && !isClosed) expiring = setTimeout(tick, Math.max(0, Math.min(...ends)) + expiryMarginMs).unref();
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
    if (executions.length > 0) await duties?.reconcile();
    return true;
  }

  const find = (id: NodeId): StoredNode | undefined => known.find((node) => node.id === id);

  async function findAlive(id: NodeId): Promise<StoredNode | undefined> {
    const isUsable = (node: StoredNode | undefined) => node?.isAlive && node.internalUrl !== "";
    if (!isUsable(find(id))) known = await nodes.list();
    const node = find(id);
    return isUsable(node) ? node : undefined;
  }

  function tick(): void {
    isWanted = true;
    running ??= renewWhileWanted().finally(() => {
      running = undefined;
    });
  }

  async function renewWhileWanted(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false;
      await renew().catch((error: unknown) => {
        // a database that cannot be reached is reported by its own watch
        if (!isUnreachable && !isClosed) logger.warn("the lease could not be renewed", { error });
        isUnreachable = true;
      });
    }
  }

  nodes.onLost(() => {
    if (!isClosed) void rejoin().catch((error: unknown) => logger.warn("this server could not register again yet", { error }));
  });
  nodes.onChanged(tick);
  const timer = setInterval(tick, input.leaseMs / renewalsPerLease).unref();

  return {
    id: nodes.id,
    start(given) {
      duties = given;
      tick();
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
      await running;
      await rejoining?.catch(() => {});
      await nodes.leave().catch((error: unknown) => logger.warn("the lease could not be ended", { error }));
    },
  };
}
