import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId, RunningExecution } from "@skein/contracts";
import type { HostedContext } from "./execution-context.ts";

const retryMs = 1000;

/** Stop requests of users: kept in memory, and for the next server on the host. The command also stores them in the database. */
export interface StopRequests {
  /** Never fails: the agent to be stopped may be filling the disk, so the request is stored when that is possible. */
  request(id: ExecutionId): void;
  /** Reads what an earlier server stored. Call it before `isRequested`. */
  load(id: ExecutionId): Promise<void>;
  isRequested(id: ExecutionId): boolean;
  /** Call when the execution is over. The stored request stays. */
  forget(id: ExecutionId): void;
  /**
   * Whether the previous execution was stopped after this one had been prepared by its end: the stop then applies to this one (E4).
   * The server that should have handled it was killed.
   */
  wasRequestedBefore(execution: RunningExecution): Promise<boolean>;
}

export function createStopRequests(context: Pick<HostedContext, "storage" | "host" | "logger" | "now">): StopRequests {
  const { storage } = context;
  const { executions } = context.host;
  const requested = new Set<ExecutionId>();

  async function store(id: ExecutionId): Promise<void> {
    const at = context.now();
    for (let isFirst = true; isFirst || requested.has(id); isFirst = false) {
      try {
        return await executions.recordStop({ id, at });
      } catch (error) {
        if (isFirst) context.logger.warn("a stop could not be stored yet", { executionId: id, error });
        await wait(retryMs, undefined, { ref: false });
      }
    }
  }

  return {
    request(id) {
      requested.add(id);
      void store(id);
    },
    async load(id) {
      if ((await storage.read.findStopRequest({ executionId: id })) !== undefined || (await executions.findStop({ id })) !== null)
        requested.add(id);
    },
    isRequested: (id) => requested.has(id),
    forget: (id) => void requested.delete(id),
    async wasRequestedBefore({ attemptId, number, startedAt }) {
      const before = (await storage.read.listExecutions({ attemptId })).find((one) => one.number === number - 1);
      // only here: the database stores stops of running executions
      const stoppedAt = before && (await executions.findStop({ id: before.id }));
      return typeof stoppedAt === "number" && stoppedAt >= startedAt;
    },
  };
}
