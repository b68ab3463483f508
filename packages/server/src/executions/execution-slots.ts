import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId, ExecutionWait, RunningExecution, RunningLimits } from "@skein/contracts";
import { type Occupant, ServiceError, type StorageTransaction } from "@skein/engine";
import { admitWaiting } from "./admit-waiting.ts";
import type { ExecutionContext } from "./execution-context.ts";
import { setExecutionWait } from "./set-execution-wait.ts";

const retryMs = 1000;

/** Assigns the slots that the limits of the settings allow (L1). What waits for one is stored, in its order. */
export interface ExecutionSlots {
  /** Resolves when the execution may start, or when `signal` is aborted. Never rejects. `onWaiting` is called if it has to wait. */
  take(execution: RunningExecution, options: { signal: AbortSignal; onWaiting(): void }): Promise<void>;
  /** Lets executions start for which there is a slot now: after a limit was changed. */
  assign(): Promise<void>;
  /** What waits, in the order in which it will start. */
  list(): Promise<Occupant[]>;
  /** Lets an execution start now, whatever the limits are. */
  startNow(id: ExecutionId): Promise<void>;
  /** Moves an execution before another one that waits, or to the end. */
  move(id: ExecutionId, before: ExecutionId | null): Promise<void>;
  close(): void;
}

export function createExecutionSlots(input: {
  context: Pick<ExecutionContext, "storage" | "logger" | "now">;
  readLimits(): RunningLimits;
  explainFault?(error: unknown): Promise<unknown>;
}): ExecutionSlots {
  const { storage, logger, now } = input.context;
  /** The executions of this server that wait. */
  const waiting = new Map<ExecutionId, () => void>();

  async function setWait(tx: StorageTransaction, id: ExecutionId, wait: ExecutionWait | null): Promise<void> {
    await setExecutionWait(tx, { id, wait, at: now() });
  }

  /** Returns whether it may start now. One that waits already keeps its place. */
  async function enter(tx: StorageTransaction, id: ExecutionId): Promise<boolean> {
    const occupants = await tx.listOccupants();
    const own = occupants.find(({ execution }) => execution.id === id);
    if (own === undefined) return true; // it has ended
    const last = Math.max(0, ...occupants.map(({ execution: { wait } }) => (wait?.for === "limit" ? wait.position : 0)));
    const known = own.execution.wait?.for === "limit" ? own.execution.wait : undefined;
    const place: ExecutionWait = known ?? { for: "limit", since: now(), position: last + 1 };
    const entered = occupants.map((one) => (one === own ? { ...own, execution: { ...own.execution, wait: place } } : one));
    const admitted = admitWaiting(entered, input.readLimits());
    for (const other of admitted) if (other !== id || known !== undefined) await setWait(tx, other, null);
    if (admitted.includes(id)) return true;
    if (known === undefined) await setWait(tx, id, place);
    return false;
  }

  const assign = (): Promise<void> =>
    storage.transaction(async (tx) => {
      for (const id of admitWaiting(await tx.listOccupants(), input.readLimits())) await setWait(tx, id, null);
    });

  const removeListener = storage.onCommitted((events) => {
    if (waiting.size === 0) return;
    for (const { event } of events) {
      if (event.type !== "execution:changed" || event.execution.status !== "running") continue;
      if (event.execution.wait === undefined) waiting.get(event.executionId)?.();
    }
    if (events.some(({ event }) => event.type === "execution:completed"))
      assign().catch((error: unknown) => logger.error("waiting executions could not be started", { error }));
  });

  /** Retried while the database cannot be written: then nothing could start either. */
  async function enterWhenPossible(id: ExecutionId, signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      try {
        return await storage.transaction((tx) => enter(tx, id));
      } catch (error) {
        logger.error("an execution could not be put in the order of starts", { executionId: id, error });
        await input.explainFault?.(error);
        await wait(retryMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    return false;
  }

  return {
    async take({ id, wait: known }, { signal, onWaiting }) {
      if (known?.for !== "limit" && !hasLimits(input.readLimits())) return;
      const started = Promise.withResolvers<void>();
      const end = (): void => started.resolve();
      waiting.set(id, end);
      signal.addEventListener("abort", end, { once: true });
      try {
        if ((await enterWhenPossible(id, signal)) || signal.aborted) return;
        onWaiting();
        await started.promise;
      } finally {
        waiting.delete(id);
        signal.removeEventListener("abort", end);
      }
    },
    assign,
    list: async () => (await storage.read.listOccupants()).filter(({ execution }) => execution.wait?.for === "limit"),
    startNow: (id) =>
      storage.transaction(async (tx) => {
        await getWaiting(tx, id);
        await setWait(tx, id, null);
      }),
    move: (id, before) =>
      storage.transaction(async (tx) => {
        const moved = await getWaiting(tx, id);
        if (before !== null) await getWaiting(tx, before);
        const others = (await tx.listOccupants())
          .map(({ execution }) => execution)
          .filter((one) => one.wait?.for === "limit" && one.id !== id);
        const index = before === null ? others.length : others.findIndex((one) => one.id === before);
        const order = [...others.slice(0, index), moved, ...others.slice(index)];
        for (const [place, execution] of order.entries()) {
          const position = place + 1;
          if (execution.wait?.for === "limit" && execution.wait.position !== position)
            await setWait(tx, execution.id, { ...execution.wait, position });
        }
      }),
    close: removeListener,
  };
}

async function getWaiting(tx: StorageTransaction, id: ExecutionId): Promise<RunningExecution> {
  const execution = await tx.findExecution({ id });
  if (execution?.status === "running" && execution.wait?.for === "limit") return execution;
  throw new ServiceError("conflict", { code: "execution-not-waiting" });
}

function hasLimits({ running, perAgent, perProject }: RunningLimits): boolean {
  return running !== null || Object.keys(perAgent).length > 0 || Object.keys(perProject).length > 0;
}
