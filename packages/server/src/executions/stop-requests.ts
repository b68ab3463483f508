import { existsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId, RunningExecution } from "@skein/contracts";
import { createExecutionFolder, executionFolder } from "@skein/host";
import type { ExecutionContext } from "./execution-context.ts";

const retryMs = 1000;

/** Stop requests of users: kept in memory, and on disk for the next server. */
export interface StopRequests {
  /** Never fails: the agent to be stopped may be filling the disk, so the file is written when that is possible. */
  request(id: ExecutionId): void;
  isRequested(id: ExecutionId): boolean;
  /** Call when the execution is over. The file stays in its folder. */
  forget(id: ExecutionId): void;
  /**
   * Whether the previous execution was stopped after this one had been prepared by its end: the stop then applies to this one (E4).
   * The server that should have handled it was killed.
   */
  wasRequestedBefore(execution: RunningExecution): Promise<boolean>;
}

export function createStopRequests({
  context,
  executionsFolder,
}: {
  context: Pick<ExecutionContext, "storage" | "logger" | "now">;
  executionsFolder: string;
}): StopRequests {
  const requested = new Set<ExecutionId>();
  const folderPath = (id: ExecutionId): string => join(executionsFolder, id);

  async function store(id: ExecutionId): Promise<void> {
    const stoppedAt = context.now();
    for (let isFirst = true; isFirst || requested.has(id); isFirst = false) {
      try {
        writeFileSync(createExecutionFolder(folderPath(id)).stopRequested, String(stoppedAt), { mode: 0o600 });
        return;
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
    isRequested: (id) => requested.has(id) || existsSync(executionFolder(folderPath(id)).stopRequested),
    forget: (id) => void requested.delete(id),
    async wasRequestedBefore({ attemptId, number, startedAt }) {
      const before = (await context.storage.read.listExecutions({ attemptId })).find((one) => one.number === number - 1);
      if (before === undefined) return false;
      const stoppedAt = await readFile(executionFolder(folderPath(before.id)).stopRequested, "utf8").catch(() => "");
      return stoppedAt !== "" && Number(stoppedAt) >= startedAt;
    },
  };
}
