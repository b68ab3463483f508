import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import type { Logger } from "../logger.ts";
import { removeExecutionFiles } from "./quarantine.ts";

/** A slice keeps others waiting for some milliseconds. */
const rowsAtOnce = 200;
/** Others have the database for most of the time: nobody waits for this. */
const pauseMs = 15;
const filesPauseMs = 5;
const retryMs = 60_000;

/**
 * Removes what the user deleted and nobody sees any more: rows of the database, files of executions, worktrees in the trash. What
 * a server that was stopped or killed has left, the next one removes. Nothing here fails: what cannot be removed is tried again.
 */
export interface BackgroundDeletion {
  /** There is something to remove. `executionIds`: those whose files are marked as deleted. */
  start(executionIds?: readonly ExecutionId[]): void;
  /** Ends after the current step. */
  close(): Promise<void>;
}

export function createBackgroundDeletion(input: { storage: Storage; host: Host; home: string; logger: Logger }): BackgroundDeletion {
  const { storage, home, logger } = input;
  const ending = new AbortController();
  const { signal } = ending;
  const executions: ExecutionId[] = [];
  let isWanted = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => {});

  async function purgeRows(): Promise<void> {
    while (!signal.aborted && (await storage.transaction((tx) => tx.purgeDeleted({ limit: rowsAtOnce })))) await pause(pauseMs);
  }

  async function removeFiles(): Promise<void> {
    for (let id = executions.shift(); id !== undefined && !signal.aborted; id = executions.shift()) {
      await removeExecutionFiles(home, id);
      await pause(filesPauseMs);
    }
  }

  async function removeWorktrees(): Promise<void> {
    const left = await input.host.workspaces.emptyTrash(signal);
    if (left !== undefined) throw new Error(`${left.entries} files of deleted worktrees could not be removed`, { cause: left.error });
  }

  async function runAll(): Promise<void> {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      const results = await Promise.allSettled([purgeRows(), removeFiles(), removeWorktrees()]);
      const failed = results.filter((result) => result.status === "rejected");
      for (const { reason } of failed) logger.warn("deleted data could not be removed yet; retrying", { error: reason });
      if (failed.length > 0) {
        clearTimeout(retry);
        retry = setTimeout(() => start(), retryMs).unref();
      }
    }
    // at once: a `start` that comes before the promise is settled begins the next pass
    running = undefined;
  }

  function start(executionIds: readonly ExecutionId[] = []): void {
    executions.push(...executionIds);
    isWanted = true;
    running ??= runAll();
  }

  return {
    start,
    async close() {
      ending.abort();
      clearTimeout(retry);
      await running;
    },
  };
}
