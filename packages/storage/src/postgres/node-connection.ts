import { Client, type QueryResultRow } from "pg";
import { eventChannel, nodeChannel } from "./advisory-locks.ts";
import { toConnectionSettings, withinReason } from "./connection-settings.ts";
import { isConnectionLost, toStorageError } from "./postgres-error.ts";

/** Notifications may be lost with a connection: commits are also polled for at this interval. */
const pollMs = 2000;
/** A silently lost connection must not cost the lease. */
const queryTimeoutMs = 4000;
/** The database gives up first: a statement that this process no longer waits for must not take effect. */
const statementTimeoutMs = 3500;
/** How long a registration may wait for the lock of writers. */
const patientTimeoutMs = 15_000;

/**
 * The connection of a node that renews its lease and receives notifications. It is separate from the others, so that neither a long transaction
 * nor slow queries delay the renewal.
 */
export class NodeConnection {
  readonly #url: string;
  readonly #onCommitted: (seq: number | undefined) => void;
  readonly #onNodes: () => void;
  #client: Promise<Client> | undefined;
  readonly #poll: NodeJS.Timeout;
  #isClosed = false;

  /**
   * `onCommitted` is called with the number of the last committed event, or without one if there may be new ones; `onNodes` if a node has
   * something for the others.
   */
  constructor(options: { url: string; onCommitted: (seq: number | undefined) => void; onNodes: () => void }) {
    this.#url = options.url;
    this.#onCommitted = options.onCommitted;
    this.#onNodes = options.onNodes;
    this.#poll = setInterval(() => {
      this.#onCommitted(undefined);
      this.connect().catch(() => {});
    }, pollMs).unref();
  }

  /** Opens the connection unless it is open. */
  async connect(): Promise<Client> {
    if (this.#isClosed) throw new Error("The storage is closed.");
    this.#client ??= this.#open();
    try {
      return await this.#client;
    } catch (error) {
      this.#client = undefined;
      throw toStorageError(error);
    }
  }

  /** Runs a statement, on a new connection if the present one turns out to be lost. */
  async query<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    for (let isFirst = true; ; isFirst = false) {
      const client = await this.connect();
      try {
        const { rows } = await client.query<Row>({ text, values });
        return rows;
      } catch (error) {
        if (!isConnectionLost(error)) throw toStorageError(error);
        this.#forget(client);
        if (!isFirst) throw toStorageError(error);
      }
    }
  }

  /** Runs one statement that may have to wait, on a connection of its own: nothing waits behind it. */
  async queryPatiently<Row extends QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const settings = toConnectionSettings(this.#url, "skein node registration");
    const timeouts = { statement_timeout: patientTimeoutMs, query_timeout: patientTimeoutMs + 500 };
    const client = new Client({ ...settings, ...timeouts });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } catch (error) {
      throw toStorageError(error);
    } finally {
      void client.end().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#poll);
    const client = await this.#client?.catch(() => undefined);
    if (client !== undefined) await withinReason(client.end());
  }

  async #open(): Promise<Client> {
    const timeouts = { query_timeout: queryTimeoutMs, statement_timeout: statementTimeoutMs };
    const client = new Client({ ...toConnectionSettings(this.#url, "skein node"), ...timeouts });
    client.on("error", () => this.#forget(client)).on("end", () => this.#forget(client));
    client.on("notification", ({ channel, payload }) => (channel === nodeChannel ? this.#onNodes() : this.#onCommitted(Number(payload))));
    try {
      await client.connect();
      await client.query(`LISTEN ${eventChannel}; LISTEN ${nodeChannel}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    // earlier notifications were missed
    this.#onCommitted(undefined);
    return client;
  }

  #forget(client: Client): void {
    void this.#client?.then(
      (current) => {
        if (current === client) this.#client = undefined;
      },
      () => {},
    );
    void client.end().catch(() => {});
  }
}
