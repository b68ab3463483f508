import { setTimeout as wait } from "node:timers/promises";
import { createBatchSize } from "./batch-size.ts";

/** So many messages are committed without waiting for more. */
const messagesPerCommit = 100;
/** How long complete messages may be shown from memory only: what comes in quick succession shares a commit. */
const gatherForMs = 150;
/** The same for text that grows word by word. Avoids storing every intermediate revision. */
const growForMs = 400;
/** How long a commit waits for those of other executions (group commit). */
const groupForMs = 25;
/** So much of a log is kept in memory while commits fail; then nothing more is read until one succeeds. */
const maxHeldBytes = 2 * 1024 * 1024;
const firstRetryMs = 250;
const longestRetryMs = 5000;

/** What was applied since the last call. */
export interface ReadProgress {
  /** Byte offset in the log: everything before it has been applied. */
  readTo: number;
  /** More of the log is there already: the reading is behind the agent. */
  isBehind: boolean;
  /** Every record of this slice only adds to a text, and more of it is to come. */
  isGrowing: boolean;
  /** Others act on something that is pending (sessions, approvals, messages taken from the queue). */
  hasFacts: boolean;
  /** Messages that are not given to a commit yet. */
  pendingMessages: number;
}

/** `saved`, in so many milliseconds of writing; `failed`, kept for the next commit; `reduced`: what was refused was taken out. */
export type CommitOutcome = { type: "saved"; writeMs: number } | { type: "failed" } | { type: "reduced" };

/** Decides when what was read of a log is committed. */
export interface CommitScheduler {
  /** Called after each slice of the log. Resolves when the reading may continue. Never rejects. */
  noteRead(progress: ReadProgress): Promise<void>;
  /** Called when the log has nothing more for now. */
  noteLogEnd(): void;
  /** Commits with whatever comes next, soon: something was added that is not in the log. */
  commitSoon(): void;
  /** Commits now, or right after the commit at work. Never rejects. */
  commit(): Promise<void>;
  /** No commit begins by itself any more. Resolves when the one at work is done. */
  stop(): Promise<void>;
  /** As `stop`; whoever waits in `noteRead` is released. */
  close(): Promise<void>;
}

/**
 * For agents that speak in complete messages. These are committed a few times a second, facts at once, growing text less often. While
 * the reading is behind, commits are batches of the log whose size follows the speed of the disk.
 */
export function createCommitScheduler(input: {
  /** Everything before it is stored. */
  offset: number;
  hasPending(): boolean;
  /** Commits everything that is pending in one transaction. One call at a time; reading continues meanwhile. Must not reject. */
  write(options: { groupForMs: number }): Promise<CommitOutcome>;
}): CommitScheduler {
  const batch = createBatchSize();
  const closing = new AbortController();
  /** Everything before it: was applied, was given to a commit, is stored. */
  const offsets = { read: input.offset, given: input.offset, stored: input.offset };
  let timer: { handle: NodeJS.Timeout; deadline: number } | undefined;
  let committing: Promise<void> | undefined;
  /** A commit was asked for after the one at work had begun. */
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
    // with nothing to do it would be over before it is assigned, and the finished promise would stay
    if (!input.hasPending()) return committing ?? Promise.resolve();
    committing ??= commitWhileWanted();
    return committing;
  }

  async function commitWhileWanted(): Promise<void> {
    while (isWanted && input.hasPending() && !closing.signal.aborted && (await commitOnce()));
    committing = undefined;
  }

  /** False when it failed: everything waits for the next reason to commit, or for the end. */
  async function commitOnce(): Promise<boolean> {
    const upTo = offsets.read;
    const bytes = upTo - offsets.given;
    isWanted = false;
    offsets.given = upTo;
    // what is far behind has enough for a commit of its own
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
      // a disk that is slower than the reading slows it down, and memory stays small
      await committing;
      void commit();
    } else if (pendingMessages >= messagesPerCommit) {
      void commit();
    } else {
      commitWithin(isGrowing ? growForMs : gatherForMs);
    }
  }

  /** What is not read waits in the log. */
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

/** For agents with the capability `commitsAtEnd`: only facts are saved before the settling transaction. */
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
