import type { DatabaseConnection, Driver } from "kysely";

/** A Kysely driver for connections that are managed elsewhere. Transactions are controlled by the group commit and by snapshots. */
export class ConnectionDriver implements Driver {
  readonly #acquire: () => Promise<DatabaseConnection>;

  constructor(acquire: () => Promise<DatabaseConnection>) {
    this.#acquire = acquire;
  }

  async init(): Promise<void> {}
  acquireConnection(): Promise<DatabaseConnection> {
    return this.#acquire();
  }
  async beginTransaction(): Promise<void> {
    throw new Error("Use Storage.transaction or Storage.snapshot.");
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
