import { setTimeout as wait } from "node:timers/promises";
import type { ExecutionId } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Host } from "@skein/host";
import type { Logger } from "../logger.ts";

/** Size of a slice, which blocks other work for some milliseconds. */
const rowsAtOnce = 200;
/** Pause between slices: this work is never urgent. */
const pauseMs = 15;
const filesAtOnce = 2000;
const filesPauseMs = 5;
const retryMs = 60_000;

/**
 * Removes deleted data that is no longer visible: database rows, files of executions, worktrees in the trash. What a stopped or killed
 * server left is removed by the next one. Never fails: what cannot be removed is retried.
 */
export interface BackgroundDeletion {
  /** Starts a pass. `executionIds`: executions whose files are marked as deleted. */
  start(executionIds?: readonly ExecutionId[]): void;
  /** Stops after the current step. */
  close(): Promise<void>;
}

/** Creates the deletion loop. It is idle until `start` is called. */
export function createBackgroundDeletion(input: { storage: Storage; host: Host; logger: Logger }): BackgroundDeletion {
  const { storage, host, logger } = input;
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
      await host.executions.removeStored({ id });
      await pause(filesPauseMs);
    }
  }

  async function removeWorktrees(): Promise<void> {
    for (let hasMore = true; hasMore && !signal.aborted; ) {
      const emptied = await host.workspaces.emptyTrash({ limit: filesAtOnce });
      hasMore = emptied.hasMore;
      if (hasMore || emptied.left === null) continue;
      throw new Error(`${emptied.left.entries} files of deleted worktrees could not be removed: ${emptied.left.reason}`);
    }
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
    // synchronously: a `start` before the promise settles must begin the next pass
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
