import { StorageUnavailableError } from "./errors.ts";

/**
 * The connection that writes. The first unit of work opens a transaction, each further one a savepoint in it. All errors are those of
 * the storage port.
 */
export interface WriteConnection {
  /** False also after the database has rolled back by itself, or the connection was lost. */
  readonly isTransaction: boolean;
  beginUnit(): void | Promise<void>;
  /** Throws if a statement of the unit has failed and the database cannot keep the others. */
  endUnit(): void | Promise<void>;
  /** Undoes the open unit, or the whole transaction if it was the first unit or cannot be undone alone. Never throws. */
  undoUnit(): void | Promise<void>;
  /** Resolves when the commit is permanent. On failure, the transaction is over and nothing of it may be taken as saved. */
  commit(): Promise<void>;
}

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

/** The error for the rest of a group after the database rolled back the whole transaction because of one of them. */
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
  readonly #connection: WriteConnection;
  readonly #open: () => OpenWork<Transaction, Written>;
  readonly #publish: (written: Written[]) => void;
  #queue: Job<Transaction>[] = [];
  #flushing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  /** Of the queued works, in `performance.now()` milliseconds. */
  #earliestDeadline = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(options: {
    connection: WriteConnection;
    open: () => OpenWork<Transaction, Written>;
    /** Called after each commit, in commit order. Must not throw. */
    publish: (written: Written[]) => void;
  }) {
    this.#connection = options.connection;
    this.#open = options.open;
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
      // a database in this process is synchronous: without a pause, a large group would block everything else
      if (index > 0) await new Promise(setImmediate);
      startedAt = performance.now();
      try {
        finished.push(await this.#runJob(job));
      } catch (error) {
        job.reject(error);
        // On a full disk SQLite rolls back by itself, including what other units had written; so does a lost connection.
        if (!this.#connection.isTransaction) {
          for (const lost of finished) lost.reject(toGroupError(error));
          finished = [];
        }
      }
    }
    // a commit that checkpoints the WAL takes as long as a large unit of work
    if (performance.now() - startedAt > longTurnMs) await new Promise(setImmediate);
    try {
      if (this.#connection.isTransaction) await this.#connection.commit();
    } catch (error) {
      for (const lost of finished) lost.reject(error);
      return;
    }
    for (const job of finished) job.confirm();
    const written = finished.flatMap((job) => job.written);
    if (written.length > 0) this.#publish(written);
  }

  async #runJob(job: Job<Transaction>): Promise<FinishedJob<Written>> {
    await this.#connection.beginUnit();
    const work = this.#open();
    try {
      const confirm = await job.run(work.transaction);
      work.end();
      await this.#connection.endUnit();
      return { confirm, reject: job.reject, written: work.written };
    } catch (error) {
      work.end();
      await this.#connection.undoUnit();
      throw error;
    }
  }
}
