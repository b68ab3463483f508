import type { StoredPullRequest } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import type { Logger } from "../logger.ts";

/** Longer waits are divided: a timer of more than 24 days fires at once. */
const maxWaitMs = 60 * 60_000;
const batch = 20;

export interface PullRequestWatch {
  /** Call it after the next check of a pull request has changed. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * Checks stored pull requests when they are due, one after the other. What is due is in the database, so a restart continues. Without
 * an open pull request there is no timer, and a timer does not keep the process running.
 */
export function watchPullRequests(options: {
  storage: Pick<Storage, "read">;
  logger: Logger;
  now: () => number;
  /** Never rejects for a forge's failure; must move `nextCheckAt`. */
  check(due: StoredPullRequest): Promise<void>;
}): PullRequestWatch {
  const { storage, logger, now, check } = options;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let isClosed = false;
  let isDirty = false;

  async function work(): Promise<void> {
    do {
      isDirty = false;
      const watched = await storage.read.listWatchedPullRequests({ limit: batch, isOwn: true });
      const due = watched.filter(({ nextCheckAt }) => nextCheckAt !== null && nextCheckAt <= now());
      for (const one of due) {
        if (isClosed) return;
        await check(one);
      }
      const next = watched[0]?.nextCheckAt ?? null;
      // their next times are in the database now
      if (due.length > 0) isDirty = true;
      else if (next !== null) arm(next - now());
    } while (isDirty && !isClosed);
  }

  function arm(waitMs: number): void {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(wake, Math.min(maxWaitMs, Math.max(0, waitMs))).unref();
  }

  function wake(): void {
    if (isClosed) return;
    isDirty = true;
    clearTimeout(timer);
    working ??= work()
      .catch((error: unknown) => {
        logger.error("pull requests could not be checked", { error });
        arm(maxWaitMs);
      })
      .finally(() => {
        working = undefined;
      });
  }

  return {
    wake,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await working;
    },
  };
}
