import type { ExecutionId, HostId } from "@skein/contracts";
import { ServiceError } from "@skein/engine";
import type { Executions, Host, RunnerReport } from "@skein/host";
import { type HostDirectory, isUnreachable } from "./host-directory.ts";
import type { HostLocator } from "./locate-host.ts";

/** Sends calls about an execution to its host. Without other hosts, each call goes to the local one directly. */
export function createRoutingExecutions(input: { local: Host; directory: HostDirectory; locator: HostLocator }): Executions {
  const { directory, locator } = input;
  const local = input.local.executions;
  /** Ends `attach` on other hosts. */
  const attached = new Map<ExecutionId, AbortController>();

  async function hostOf(id: ExecutionId): Promise<Executions> {
    const hostId = await locator.ofExecution(id);
    return hostId === null ? local : directory.get(hostId).executions;
  }

  const isRemoved = (hostId: HostId): boolean => directory.find(hostId)?.stored.state === "removed";

  /** `gone`: the result for a host that was removed. */
  async function onHost<T>(id: ExecutionId, call: (executions: Executions) => Promise<T>, gone?: () => T): Promise<T> {
    const hostId = await locator.ofExecution(id);
    if (hostId === null) return call(local);
    if (gone !== undefined && isRemoved(hostId)) return gone();
    return call(directory.get(hostId).executions);
  }

  /** For calls that never reject: what is lost with the connection is repeated after it. */
  async function ifConnected(id: ExecutionId, call: (executions: Executions) => Promise<void>): Promise<void> {
    try {
      await onHost(id, call, () => undefined);
    } catch {
      // not connected
    }
  }

  async function forAll(ids: readonly ExecutionId[], call: (executions: Executions, own: ExecutionId[]) => Promise<void>): Promise<void> {
    const groups = new Map<HostId | null, ExecutionId[]>();
    for (const id of ids) {
      const hostId = await locator.ofExecution(id);
      const own = groups.get(hostId);
      if (own === undefined) groups.set(hostId, [id]);
      else own.push(id);
    }
    for (const [hostId, own] of groups) {
      if (hostId === null) await call(local, own);
      else if (!isRemoved(hostId)) await call(directory.get(hostId).executions, own);
    }
  }

  /** Attaches again after each lost connection, until the agent has ended or the host was removed. */
  function attachRemote(id: ExecutionId): AsyncIterable<RunnerReport> {
    const over = new AbortController();
    attached.get(id)?.abort();
    attached.set(id, over);
    let current: AsyncIterator<RunnerReport> | undefined;
    over.signal.addEventListener("abort", () => void current?.return?.());

    async function* read(): AsyncGenerator<RunnerReport, void> {
      try {
        const hostId = await locator.ofExecution(id);
        if (hostId === null) {
          current = local.attach({ id })[Symbol.asyncIterator]();
          for (let next = await current.next(); !next.done; next = await current.next()) yield next.value;
          return;
        }
        while (!over.signal.aborted) {
          const host = await directory.untilConnected(hostId, over.signal);
          if (over.signal.aborted) return;
          if (host === null) {
            yield { type: "ended", exit: null };
            return;
          }
          try {
            current = host.executions.attach({ id })[Symbol.asyncIterator]();
            for (let next = await current.next(); !next.done; next = await current.next()) {
              yield next.value;
              if (next.value.type === "ended") return;
            }
            // ended by a newer reader
            return;
          } catch (error) {
            if (!isUnreachable(error)) throw error;
          }
        }
      } finally {
        if (attached.get(id) === over) attached.delete(id);
      }
    }
    return read();
  }

  /** A draining host starts no agents. */
  async function assertStarting(id: ExecutionId): Promise<void> {
    const hostId = await locator.ofExecution(id);
    const stored = hostId === null ? undefined : directory.find(hostId)?.stored;
    if (stored?.state === "draining") throw new ServiceError("unavailable", { code: "host-draining", host: stored.name });
  }

  const routed: Executions = {
    ...local,
    readLog: (input) =>
      onHost(
        input.id,
        (host) => host.readLog(input),
        () => ({ lines: [], next: input.from, isBehind: false }),
      ),
    closeLog: (input) => ifConnected(input.id, (host) => host.closeLog(input)),
    logSize: (input) =>
      onHost(
        input.id,
        (host) => host.logSize(input),
        () => 0,
      ),
    readErrors: (input) =>
      onHost(
        input.id,
        (host) => host.readErrors(input),
        () => "",
      ),

    async prepare(input) {
      await assertStarting(input.id);
      return onHost(input.id, (host) => host.prepare(input));
    },
    writeOrigin: (origin) => onHost(origin.execution.id, (host) => host.writeOrigin(origin)),
    writeHistory: (input) => onHost(input.id, (host) => host.writeHistory(input)),
    removeHistory: (input) =>
      onHost(
        input.id,
        (host) => host.removeHistory(input),
        () => undefined,
      ),
    launch: (input) => onHost(input.id, (host) => host.launch(input)),
    untilFirstOutput: (input) => onHost(input.id, (host) => host.untilFirstOutput(input)),
    // never restarted: it is followed until it is settled as interrupted
    isClaimed: (input) =>
      onHost(
        input.id,
        (host) => host.isClaimed(input),
        () => true,
      ),
    abandon: (input) =>
      onHost(
        input.id,
        (host) => host.abandon(input),
        () => true,
      ),

    attach: ({ id }) => attachRemote(id),
    async detach({ id }) {
      attached.get(id)?.abort();
    },
    send: (input) => ifConnected(input.id, (host) => host.send(input)),
    stop: (input) => ifConnected(input.id, (host) => host.stop(input)),
    recordStop: (input) =>
      onHost(
        input.id,
        (host) => host.recordStop(input),
        () => undefined,
      ),
    findStop: (input) =>
      onHost(
        input.id,
        (host) => host.findStop(input),
        () => null,
      ),

    isRunning: (input) =>
      onHost(
        input.id,
        (host) => host.isRunning(input),
        () => false,
      ),
    killRunner: (input) =>
      onHost(
        input.id,
        (host) => host.killRunner(input),
        () => undefined,
      ),
    kill: (input) =>
      onHost(
        input.id,
        (host) => host.kill(input),
        () => undefined,
      ),

    async locate({ ids }) {
      const [first] = ids;
      return first === undefined
        ? []
        : onHost(
            first,
            (host) => host.locate({ ids }),
            () => [],
          );
    },
    markDeleted: ({ ids }) => forAll(ids, (host, own) => host.markDeleted({ ids: own })),
    removeLogs: ({ ids }) => forAll(ids, (host, own) => host.removeLogs({ ids: own })),
    unmarkDeleted: ({ ids }) => forAll(ids, (host, own) => host.unmarkDeleted({ ids: own })).catch(() => {}),
    findOutput: (input) => onHost(input.id, (host) => host.findOutput(input)),
    async *readOutput(input) {
      yield* (await hostOf(input.id)).readOutput(input);
    },
    async runPreview(launch) {
      const hostId = await locator.ofPath(launch.cwd);
      return (hostId === null ? local : directory.get(hostId).executions).runPreview(launch);
    },
  };
  return whileAlone(directory, local, routed);
}

/** Calls the local host directly as long as there is no other. */
export function whileAlone<Part extends object>(directory: HostDirectory, local: Part, routed: Part): Part {
  type Method = (...args: unknown[]) => unknown;
  const entries = Object.entries(routed).map(([name, method]) => {
    const own = (local as Record<string, Method>)[name];
    if (own === undefined || own === method) return [name, method];
    return [name, (...args: unknown[]) => (directory.hasOthers ? (method as Method)(...args) : own(...args))];
  });
  return Object.fromEntries(entries) as Part;
}
