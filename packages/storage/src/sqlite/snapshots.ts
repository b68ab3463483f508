import type { DatabaseSync } from "node:sqlite";
import { toStorageError } from "./sqlite-error.ts";

const maxIdle = 2;

/**
 * Read transactions, each on its own connection: on a shared one, other readers would see the old state, too.
 * Connections are opened on demand.
 */
export class Snapshots<Reader> {
  readonly #connect: () => { database: DatabaseSync; reader: Reader };
  readonly #idle: { database: DatabaseSync; reader: Reader }[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(connect: () => { database: DatabaseSync; reader: Reader }) {
    this.#connect = connect;
  }

  run<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error("The storage is closed."));
    const running = this.#run(work).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }

  async #run<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? this.#connect();
    try {
      connection.database.exec("BEGIN");
      const result = await work(connection.reader);
      connection.database.exec("COMMIT");
      if (this.#idle.length < maxIdle && !this.#closed) this.#idle.push(connection);
      else connection.database.close();
      return result;
    } catch (error) {
      connection.database.close();
      throw toStorageError(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#running);
    for (const { database } of this.#idle.splice(0)) database.close();
  }
}
