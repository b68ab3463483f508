import type { HostId, StoredHost } from "@skein/contracts";
import { ServiceError, type Storage } from "@skein/engine";
import { type ConnectedHost, type Host, LinkClosedError } from "@skein/host";

/** A host that may have attempts: its row, and its connection if there is one. */
export interface KnownHost {
  stored: StoredHost;
  connection: ConnectedHost | undefined;
}

/** The hosts other than the server's own machine, and the connections to them. */
export interface HostDirectory {
  /** False as long as there is no other host: everything is on the server's own machine. */
  readonly hasOthers: boolean;
  /** Reloads the rows after they changed. */
  reload(): Promise<void>;
  list(): readonly KnownHost[];
  find(id: HostId): KnownHost | undefined;
  /** The hosts that can be called now. */
  listConnected(): { hostId: HostId; host: Host }[];
  /** Registers the connection of a host until it ends, and closes an earlier one. */
  connect(id: HostId, connection: ConnectedHost): void;
  /** The connection that the host itself has opened to this server; undefined if it is connected to another one, or not at all. */
  findDirect(id: HostId): ConnectedHost | undefined;
  disconnect(id: HostId, reason: string): void;
  /** The connected host. Throws `host-unreachable`, `host-removed`. */
  get(id: HostId): Host;
  /** Resolves with the host once it is connected; null once it was removed, or when the signal is aborted. */
  untilConnected(id: HostId, signal: AbortSignal): Promise<Host | null>;
  /** Called after a host was connected, disconnected or changed. */
  onChange(listener: (id: HostId) => void): () => void;
  close(): void;
}

/**
 * @param input.openRemote connects to a host that is connected to another server of the same database; undefined if it is connected to none
 * of them that is alive
 */
export async function createHostDirectory(input: {
  storage: Pick<Storage, "read" | "nodes">;
  openRemote?(stored: StoredHost): Promise<ConnectedHost | undefined>;
}): Promise<HostDirectory> {
  const known = new Map<HostId, KnownHost>();
  /** Hosts as services use them: a lost connection is an expected failure that names the host. */
  const usable = new Map<HostId, Host>();
  const listeners = new Set<(id: HostId) => void>();
  const opening = new Map<HostId, Promise<void>>();
  /** Connections over another server. */
  const remote = new WeakSet<ConnectedHost>();
  let isClosed = false;

  const report = (id: HostId): void => {
    for (const listener of listeners) listener(id);
  };

  async function reload(): Promise<void> {
    for (const stored of await input.storage.read.listHosts()) {
      const before = known.get(stored.id);
      known.set(stored.id, { stored, connection: before?.connection });
      if (stored.state === "removed") disconnect(stored.id, "removed");
      else leaveOther(stored, before?.connection);
      if (before?.stored.state !== stored.state) report(stored.id);
    }
  }

  /** The row says which server a host is connected to: what this one believes may be older. */
  function leaveOther(stored: StoredHost, connection: ConnectedHost | undefined): void {
    const { connectedNodeId } = stored;
    const ownId = input.storage.nodes?.id;
    if (ownId === undefined || connectedNodeId === null) return;
    if (connectedNodeId === ownId) {
      if (connection !== undefined && remote.has(connection)) connection.link.close("connected to this server");
    } else if (connection === undefined) {
      openElsewhere(stored);
    } else if (!remote.has(connection)) {
      connection.link.close("connected to another server");
    }
  }

  function connect(id: HostId, connection: ConnectedHost): void {
    const host = known.get(id);
    if (host === undefined || host.stored.state === "removed") {
      connection.link.close("removed");
      return;
    }
    host.connection?.link.close("replaced by a newer connection");
    known.set(id, { ...host, connection });
    usable.set(
      id,
      explainLoss(connection.host, () => known.get(id)?.stored.name ?? host.stored.name),
    );
    void connection.link.closed.then(() => {
      const now = known.get(id);
      if (now?.connection !== connection) return;
      known.set(id, { ...now, connection: undefined });
      usable.delete(id);
      report(id);
    });
    report(id);
  }

  function disconnect(id: HostId, reason: string): void {
    known.get(id)?.connection?.link.close(reason);
  }

  function get(id: HostId): Host {
    const host = usable.get(id);
    if (host !== undefined) return host;
    const { stored } = known.get(id) ?? {};
    if (stored?.state === "removed") throw new ServiceError("conflict", { code: "host-removed", host: stored.name });
    if (stored !== undefined) openElsewhere(stored);
    throw new ServiceError("unavailable", { code: "host-unreachable", host: stored?.name ?? id });
  }

  function openElsewhere(stored: StoredHost): void {
    const { openRemote } = input;
    if (openRemote === undefined || opening.has(stored.id)) return;
    const opened = openRemote(stored)
      .then((connection) => {
        if (connection === undefined) return;
        // the host may have connected to this server meanwhile
        const isNeeded = !isClosed && known.get(stored.id)?.connection === undefined;
        if (!isNeeded) return connection.link.close("not needed");
        remote.add(connection);
        connect(stored.id, connection);
      })
      .catch(() => {})
      .finally(() => opening.delete(stored.id));
    opening.set(stored.id, opened);
  }

  await reload();
  return {
    get hasOthers() {
      return known.size > 0;
    },
    reload,
    list: () => [...known.values()],
    find: (id) => known.get(id),
    listConnected: () => [...usable].map(([hostId, host]) => ({ hostId, host })),
    connect,
    findDirect(id) {
      const connection = known.get(id)?.connection;
      return connection === undefined || remote.has(connection) ? undefined : connection;
    },
    disconnect,
    get,
    untilConnected(id, signal) {
      const settled = Promise.withResolvers<Host | null>();
      const look = (): void => {
        const host = usable.get(id);
        const stored = known.get(id)?.stored;
        if (signal.aborted || stored === undefined || stored.state === "removed") settled.resolve(null);
        else if (host !== undefined) settled.resolve(host);
        else openElsewhere(stored);
      };
      listeners.add(look);
      signal.addEventListener("abort", look);
      look();
      return settled.promise.finally(() => {
        listeners.delete(look);
        signal.removeEventListener("abort", look);
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const { connection } of known.values()) connection?.link.close("the server is closing");
    },
  };
}

/** Whether a call failed because the host is not connected: it may have been carried out. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "host-unreachable";
}

function explainLoss(host: Host, name: () => string): Host {
  const explain = (error: unknown): never => {
    if (!(error instanceof LinkClosedError)) throw error;
    throw new ServiceError("unavailable", { code: "host-unreachable", host: name() }, { cause: error });
  };
  const wrap = (value: unknown): unknown => {
    if (value instanceof Promise) return value.catch(explain);
    if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
    const source = value as AsyncIterableIterator<unknown>;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => source.next().catch(explain),
      return: () => source.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    };
  };
  const wrapPart = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([key, method]) => [key, (...args: unknown[]) => wrap((method as (...all: unknown[]) => unknown)(...args))]),
    ) as Part;
  const { workspaces, executions, agents, transfers, terminals, environment, startsAtOnce } = host;
  return {
    workspaces: wrapPart(workspaces),
    executions: wrapPart(executions),
    agents: wrapPart(agents),
    transfers: wrapPart(transfers),
    terminals: wrapPart(terminals),
    environment,
    startsAtOnce,
    measure: () => host.measure().catch(explain),
  };
}
