import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId, ExecutionWait, RunningExecution } from "@skein/contracts";
import type { ExecutionContext } from "./execution-context.ts";
import { setExecutionWait } from "./set-execution-wait.ts";

const retryMs = 1000;

/** Holds back what would start on the machine of a server that is being drained (W2). */
export interface DrainGate {
  /**
   * Resolves when this server starts agents, with whether the execution had to wait for that, or when `signal` is aborted. Never rejects.
   * `onWaiting` is called if it has to wait.
   */
  pass(execution: RunningExecution, options: { signal: AbortSignal; onWaiting(): void }): Promise<boolean>;
}

/** This server, as one of several. */
export interface DrainingServer {
  readonly name: string;
  isDraining(): boolean;
  /** Called when `isDraining` may have changed. Returns a function that removes the listener. */
  onRenewed(listener: () => void): () => void;
}

export type DrainGateContext = Pick<ExecutionContext, "storage" | "logger" | "now">;

export function createDrainGate(input: {
  context: DrainGateContext;
  membership: DrainingServer;
  /** Called when an execution waits here: another one may have its slot. */
  onHeld(): void;
}): DrainGate {
  const { membership } = input;
  const { storage, logger, now } = input.context;

  /** Retried while the database cannot be written: then nothing could start either. */
  async function store(id: ExecutionId, value: ExecutionWait | null, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await storage.transaction((tx) => setExecutionWait(tx, { id, wait: value, at: now() }));
        return;
      } catch (error) {
        logger.error("that an execution waits for its server could not be stored", { executionId: id, error });
        await wait(retryMs, undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }

  function untilActive(signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>();
    const look = (): void => {
      if (signal.aborted || !membership.isDraining()) over.resolve();
    };
    const stop = membership.onRenewed(look);
    signal.addEventListener("abort", look, { once: true });
    look();
    return over.promise.finally(() => {
      stop();
      signal.removeEventListener("abort", look);
    });
  }

  return {
    async pass({ id, wait: known }, { signal, onWaiting }) {
      const wasWaiting = known?.for === "server";
      if (!membership.isDraining()) {
        if (wasWaiting) await store(id, null, signal);
        return false;
      }
      await store(id, { for: "server", since: wasWaiting ? known.since : now(), name: membership.name }, signal);
      input.onHeld();
      onWaiting();
      await untilActive(signal);
      // what ends, or continues under the next server, keeps its state
      if (!signal.aborted) await store(id, null, signal);
      return true;
    },
  };
}
