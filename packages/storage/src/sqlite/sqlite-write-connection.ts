import type { DatabaseSync } from "node:sqlite";
import { StorageUnavailableError } from "../errors.ts";
import type { WriteConnection } from "../group-commit.ts";
import { toStorageError } from "./sqlite-error.ts";

/** `sync` waits until a commit is on disk. The process keeps running; the next work waits. */
export class SqliteWriteConnection implements WriteConnection {
  readonly #database: DatabaseSync;
  readonly #sync: () => Promise<void>;
  #isFirstUnit = true;

  constructor(database: DatabaseSync, sync: () => Promise<void>) {
    this.#database = database;
    this.#sync = sync;
  }

  get isTransaction(): boolean {
    return this.#database.isTransaction;
  }

  beginUnit(): void {
    // The first unit is undone with the transaction: a savepoint would make SQLite copy every page that it changes.
    this.#isFirstUnit = !this.#database.isTransaction;
    this.#execute(this.#isFirstUnit ? "BEGIN IMMEDIATE" : "SAVEPOINT work");
  }

  endUnit(): void {
    if (!this.#isFirstUnit) this.#execute("RELEASE work");
  }

  undoUnit(): void {
    if (!this.#database.isTransaction) return;
    try {
      this.#database.exec(this.#isFirstUnit ? "ROLLBACK" : "ROLLBACK TO work; RELEASE work");
    } catch {
      this.#rollBack();
    }
  }

  async commit(): Promise<void> {
    try {
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      throw toStorageError(error);
    }
    try {
      await this.#sync();
    } catch (cause) {
      const text = "The disk reported an error while it saved this: it may be lost. Check the disk of the data directory.";
      throw new StorageUnavailableError("other", text, { cause });
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
