import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailableError } from "../errors.ts";
import { toStorageError } from "./sqlite-error.ts";

/** A unit of work inside the shared transaction. `Written` is its result, which is published after the commit. */
export interface OpenWork<Transaction, Written> {
  transaction: Transaction;
  written: Written[];
  /** After this, late calls of the work throw. */
  end(): void;
}

interface Job<Transaction> {
  /** Returns a function that reports success to the caller; called after the commit. */
  run(transaction: Transaction): Promise<() => void>;
  reject(error: unknown): void;
}

interface FinishedJob<Written> {
  confirm(): void;
  reject(error: unknown): void;
  written: Written[];
}

/** After this time, other work may run before the commit. */
const longTurnMs = 5;

/** The error for the rest of a group after SQLite rolled back the whole transaction because of one of them. */
function toGroupError(error: unknown): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error;
  return new StorageUnavailableError("other", "The database rolled back the transaction that this work shared. Try again.", {
    cause: error,
  });
}

/**
 * Group commit: all pending work shares one transaction and one wait for the disk. Each unit of work has its own savepoint: if it
 * fails, the others are not affected. Units run one after another, in order of submission. A unit that awaits another `submit`
 * deadlocks.
 */
export class GroupCommit<Transaction, Written> {
  readonly #database: DatabaseSync;
  readonly #open: () => OpenWork<Transaction, Written>;
  readonly #sync: () => Promise<void>;
  readonly #publish: (written: Written[]) => void;
  #queue: Job<Transaction>[] = [];
  #flushing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Of the queued works, in `performance.now()` milliseconds. */
  #earliestDeadline = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: {
    database: DatabaseSync;
    open: () => OpenWork<Transaction, Written>;
    /** Waits until the commit is on disk. The process keeps running; the next work waits. */
    sync: () => Promise<void>;
    /** Called after each commit, in commit order. Must not throw. */
    publish: (written: Written[]) => void;
  }) {
    this.#database = options.database;
    this.#open = options.open;
    this.#sync = options.sync;
    this.#publish = options.publish;
  }

  submit<T>(work: (transaction: Transaction) => Promise<T>, { patienceMs = 0 }: { patienceMs?: number } = {}): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("The storage is closed."));
    return new Promise<T>((resolve, reject) => {
      const run = async (transaction: Transaction) => {
        const value = await work(transaction);
        return () => resolve(value);
      };
      this.#queue.push({ run, reject });
      const deadline = performance.now() + patienceMs;
      if (deadline >= this.#earliestDeadline) return;
      this.#earliestDeadline = deadline;
      this.#schedule();
    });
  }

  /** Commits pending work and rejects new work. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#flushing || this.#queue.length > 0) await (this.#flushing ?? this.#startFlush());
  }

  #schedule(): void {
    if (this.#flushing || this.#queue.length === 0) return;
    this.#cancelTimer?.();
    const wait = this.#earliestDeadline - performance.now();
    const start = () => void this.#startFlush();
    if (wait <= 0) {
      const immediate = setImmediate(start);
      this.#cancelTimer = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(start, wait);
      this.#cancelTimer = () => clearTimeout(timer);
    }
  }

  #startFlush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#earliestDeadline = Number.POSITIVE_INFINITY;
    this.#flushing = this.#flush().finally(() => {
      this.#flushing = undefined;
      this.#schedule();
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const jobs = this.#queue;
    this.#queue = [];
    let finished: FinishedJob<Written>[] = [];
    let startedAt = performance.now();
    for (const [index, job] of jobs.entries()) {
      // SQLite is synchronous: without a pause, a large group would block everything else in the process
      if (index > 0) await new Promise(setImmediate);
      startedAt = performance.now();
      try {
        finished.push(await this.#runJob(job));
      } catch (error) {
        job.reject(error);
        // On a full disk SQLite rolls back by itself, including what other units had written.
        if (!this.#database.isTransaction) {
          for (const lost of finished) lost.reject(toGroupError(error));
          finished = [];
        }
      }
    }
    // a commit that checkpoints the WAL takes as long as a large unit of work
    if (performance.now() - startedAt > longTurnMs) await new Promise(setImmediate);
    try {
      if (this.#database.isTransaction) this.#database.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      for (const lost of finished) lost.reject(toStorageError(error));
      return;
    }
    try {
      if (finished.length > 0) await this.#sync();
    } catch (cause) {
      const text = "The disk reported an error while it saved this: it may be lost. Check the disk of the data directory.";
      for (const lost of finished) lost.reject(new StorageUnavailableError("other", text, { cause }));
      return;
    }
    for (const job of finished) job.confirm();
    const written = finished.flatMap((job) => job.written);
    if (written.length > 0) this.#publish(written);
  }

  async #runJob(job: Job<Transaction>): Promise<FinishedJob<Written>> {
    const isFirst = !this.#database.isTransaction;
    // The first unit is undone with the transaction: a savepoint would make SQLite copy every page that it changes.
    this.#execute(isFirst ? "BEGIN IMMEDIATE" : "SAVEPOINT work");
    const work = this.#open();
    try {
      const confirm = await job.run(work.transaction);
      work.end();
      if (!isFirst) this.#execute("RELEASE work");
      return { confirm, reject: job.reject, written: work.written };
    } catch (error) {
      work.end();
      if (isFirst) this.#rollBack();
      else if (this.#database.isTransaction) this.#undoWork();
      throw error;
    }
  }

  #undoWork(): void {
    try {
      this.#database.exec("ROLLBACK TO work; RELEASE work");
    } catch {
      this.#rollBack();
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
    } catch {
      // the next BEGIN fails and reports it; callers that wait for this group must get the error now
    }
  }

  #execute(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw toStorageError(error);
    }
  }
}
