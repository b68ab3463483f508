import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailableError } from "../errors.ts";
import { toStorageError } from "./sqlite-error.ts";

/** A unit of work inside the shared transaction. `Written` is what its company learns about it when it is committed. */
export interface OpenWork<Transaction, Written> {
  transaction: Transaction;
  written: Written[];
  /** After it, late calls of the work throw. */
  end(): void;
}

interface Job<Transaction> {
  /** Returns a function that reports success to the caller, to be called after the commit. */
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

/** The error for the rest of a group when one of them made SQLite roll everything back. */
function toGroupError(error: unknown): StorageUnavailableError {
  if (error instanceof StorageUnavailableError) return error;
  return new StorageUnavailableError("other", "The database rolled back the transaction that this work shared. Try again.", {
    cause: error,
  });
}

/**
 * Shares one commit, and so one wait for the disk, among all the work that is there at the time. Each work is a savepoint
 * of its own: one that fails takes nothing with it. Works run one after another, in the order in which they came; a work
 * that waits for another `submit` waits for ever.
 */
export class GroupCommit<Transaction, Written> {
  readonly #database: DatabaseSync;
  readonly #open: () => OpenWork<Transaction, Written>;
  readonly #sync: () => Promise<void>;
  readonly #publish: (written: Written[]) => void;
  #queue: Job<Transaction>[] = [];
  #flushing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Of the works in the queue, in `performance.now()` milliseconds. */
  #earliestDeadline = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: {
    database: DatabaseSync;
    open: () => OpenWork<Transaction, Written>;
    /** Waits until what was committed is on the disk. The process keeps running; the next work waits. */
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

  /** Commits what is there; nothing can be submitted any more. */
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
      // SQLite answers at once: without a pause, a large group would keep everything else in the process waiting
      if (index > 0) await new Promise(setImmediate);
      startedAt = performance.now();
      try {
        finished.push(await this.#runJob(job));
      } catch (error) {
        job.reject(error);
        // A full disk makes SQLite roll back by itself, and with it what others had written before.
        if (!this.#database.isTransaction) {
          for (const lost of finished) lost.reject(toGroupError(error));
          finished = [];
        }
      }
    }
    // a commit that moves the WAL into the database takes as long as a large work
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
    // The first can be undone with the transaction: a savepoint would make SQLite keep a copy of every page that it changes.
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
      // the next BEGIN fails and reports it; whoever waits for this group must get the error now
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
