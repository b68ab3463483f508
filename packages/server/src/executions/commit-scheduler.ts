import { setTimeout as wait } from "node:timers/promises";
import { createBatchSize } from "./batch-size.ts";

/** Commits at once when this many messages are pending. */
const messagesPerCommit = 100;
/** How long complete messages may wait uncommitted, so that bursts share a commit. */
const gatherForMs = 150;
/** The same for streaming text. Avoids storing every intermediate revision. */
const growForMs = 400;
/** How long a commit waits for those of other executions (group commit). */
const groupForMs = 25;
/** Limit of uncommitted log bytes in memory while commits fail. Reading pauses until one succeeds. */
const maxHeldBytes = 2 * 1024 * 1024;
const firstRetryMs = 250;
const longestRetryMs = 5000;

/** What was read and applied since the last call. */
export interface ReadProgress {
  /** Byte offset in the log up to which everything has been applied. */
  readTo: number;
  /** More of the log is available: reading lags behind the agent. */
  isBehind: boolean;
  /** Every record of this slice extends a text that is not complete yet. */
  isGrowing: boolean;
  /** Something pending must be committed at once because others act on it: sessions, approvals, messages taken from the queue. */
  hasFacts: boolean;
  /** Messages that are not part of a commit yet. */
  pendingMessages: number;
}

/** `saved`: with the duration of the write. `failed`: kept for the next commit. `reduced`: rejected parts were removed. */
export type CommitOutcome = { type: "saved"; writeMs: number } | { type: "failed" } | { type: "reduced" };

/** Decides when the messages read from a log are committed. */
export interface CommitScheduler {
  /** Call after each slice of the log. Resolves when reading may continue. Never rejects. */
  noteRead(progress: ReadProgress): Promise<void>;
  /** Call when the end of the log is reached for now. */
  noteLogEnd(): void;
  /** Schedules a commit for something that is not in the log. */
  commitSoon(): void;
  /** Commits now, or right after the commit in progress. Never rejects. */
  commit(): Promise<void>;
  /** Stops scheduling commits. Resolves when the one in progress is done. */
  stop(): Promise<void>;
  /** Like `stop`, and releases callers that wait in `noteRead`. */
  close(): Promise<void>;
}

/**
 * For agents that report complete messages. Messages are committed a few times a second, facts at once, streaming text less often.
 * While reading lags behind, commits are batches of the log whose size adapts to the speed of the disk.
 */
export function createCommitScheduler(input: {
  /** Byte offset up to which everything is stored. */
  offset: number;
  hasPending(): boolean;
  /** Commits everything pending in one transaction. Called one at a time, while reading continues. Must not reject. */
  write(options: { groupForMs: number }): Promise<CommitOutcome>;
}): CommitScheduler {
  const batch = createBatchSize();
  const closing = new AbortController();
  /** Byte offsets up to which the log was applied, passed to a commit, and stored. */
  const offsets = { read: input.offset, given: input.offset, stored: input.offset };
  let timer: { handle: NodeJS.Timeout; deadline: number } | undefined;
  let committing: Promise<void> | undefined;
  /** Another commit was requested during the one in progress. */
  let isWanted = false;
  let isFailing = false;

  function clearTimer(): void {
    clearTimeout(timer?.handle);
    timer = undefined;
  }

  function commitWithin(ms: number): void {
    const deadline = performance.now() + ms;
    if (timer !== undefined && timer.deadline <= deadline) return;
    clearTimer();
    timer = { handle: setTimeout(() => void commit(), ms), deadline };
  }

  function commit(): Promise<void> {
    clearTimer();
    isWanted = true;
    // with nothing to do it would finish before it is assigned, and the settled promise would stay
    if (!input.hasPending()) return committing ?? Promise.resolve();
    committing ??= commitWhileWanted();
    return committing;
  }

  async function commitWhileWanted(): Promise<void> {
    while (isWanted && input.hasPending() && !closing.signal.aborted && (await commitOnce()));
    committing = undefined;
  }

  /** Returns false if it failed: everything waits for the next reason to commit, or for the end. */
  async function commitOnce(): Promise<boolean> {
    const upTo = offsets.read;
    const bytes = upTo - offsets.given;
    isWanted = false;
    offsets.given = upTo;
    // far behind, there is enough for a commit without others
    const outcome = await input.write({ groupForMs: bytes >= batch.bytes ? 0 : groupForMs });
    isFailing = outcome.type !== "saved";
    if (outcome.type === "reduced") isWanted = true;
    if (outcome.type !== "saved") return outcome.type === "reduced";
    offsets.stored = upTo;
    batch.learn({ bytes, ms: outcome.writeMs });
    return true;
  }

  async function schedule({ isBehind, isGrowing, hasFacts, pendingMessages }: ReadProgress): Promise<void> {
    if (hasFacts) {
      void commit();
    } else if (isBehind) {
      if (offsets.read - offsets.given < batch.bytes) return;
      // backpressure: a slow disk slows reading down, and memory stays bounded
      await committing;
      void commit();
    } else if (pendingMessages >= messagesPerCommit) {
      void commit();
    } else {
      commitWithin(isGrowing ? growForMs : gatherForMs);
    }
  }

  /** Unread data stays in the log. */
  async function untilStored(): Promise<void> {
    for (let delayMs = firstRetryMs; isFailing && !closing.signal.aborted; delayMs = Math.min(2 * delayMs, longestRetryMs)) {
      await wait(delayMs, undefined, { ref: false, signal: closing.signal }).catch(() => {});
      if (!closing.signal.aborted) await commit();
    }
  }

  async function stop(): Promise<void> {
    clearTimer();
    await committing;
  }

  return {
    async noteRead(progress) {
      offsets.read = progress.readTo;
      await schedule(progress);
      if (isFailing && offsets.read - offsets.stored > maxHeldBytes) await untilStored();
    },
    noteLogEnd() {
      if (input.hasPending() && timer === undefined) commitWithin(gatherForMs);
    },
    commitSoon: () => commitWithin(gatherForMs),
    commit,
    stop,
    async close() {
      closing.abort();
      await stop();
    },
  };
}

/** For agents with the capability `commitsAtEnd`: only facts are committed before the settling transaction. */
export function createEndCommit(input: { saveFacts(): Promise<void> }): CommitScheduler {
  return {
    noteRead: async ({ hasFacts }) => {
      if (hasFacts) await input.saveFacts();
    },
    noteLogEnd() {},
    commitSoon() {},
    async commit() {},
    async stop() {},
    async close() {},
  };
}
