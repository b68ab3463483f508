import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { NodeId } from "@skein/contracts";
import { Client, type ClientBase } from "pg";
import { StorageUnavailableError } from "../errors.ts";
import type { WriteConnection } from "../group-commit.ts";
import type { StorageLogger } from "../storage-logger.ts";
import { eventChannel, serverLock, writeLock } from "./advisory-locks.ts";
import { toConnectionSettings, withinReason } from "./connection-settings.ts";
import { isConnectionLost, toStorageError, toUnavailable } from "./postgres-error.ts";

/** How long to query the outcome of a commit whose acknowledgement was lost. */
const outcomeTimeoutMs = 10_000;

/** The connection of a server that was killed a moment ago may still be busy. */
const lockTries = 40;
const lockRetryMs = 100;

/** A server that is paused in the middle of a transaction must not keep the others from writing. */
const idleInTransactionMs = 10_000;

/** A server among several: its transactions are rejected unless its fence is the current one. */
export interface WriterNode {
  readonly id: NodeId;
  /** Undefined before it has registered. */
  fence: number | undefined;
  onLost(): void;
}

/** A server that has vanished must not keep its lock: the database notices after about half a minute. */
const sessionSettings = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";

/**
 * The only connection of this process that writes. It is opened when first used and again after it was lost.
 *
 * Transactions take a lock that all writers of the database share, before their first statement. So they run one after another, also
 * those of other processes: what a transaction read is still true when it writes, and events become visible in the order of their
 * numbers, without gaps that are filled later.
 */
export class PostgresWriter implements WriteConnection {
  readonly #url: string;
  readonly #name = `skein writer ${randomUUID()}`;
  readonly #lock: "shared" | "alone" | undefined;
  readonly #node: WriterNode | undefined;
  readonly #logger: StorageLogger | undefined;
  #client: Client | undefined;
  #isTransaction = false;
  #isFirstUnit = true;
  /** A statement has failed: Postgres refuses all others of the unit. */
  #hasFailed = false;
  #transactionId = "";
  /** Stored with the present transaction, where a node is known: ids of transactions can be given again after a crash. */
  #mark = "";
  #isClosed = false;

  /** The number of the last event that was committed before the current transaction, or the last one. Only known to nodes. */
  seqBefore = 0;

  /** `lock`: connecting fails with the fault `database-in-use` while a server uses the database (`alone`), or it is being moved (`shared`). */
  constructor(options: { url: string; lock?: "shared" | "alone"; node?: WriterNode; logger?: StorageLogger | undefined }) {
    this.#url = options.url;
    this.#lock = options.lock;
    this.#node = options.node;
    this.#logger = options.logger;
  }

  get isTransaction(): boolean {
    return this.#isTransaction;
  }

  /** The connection, for statements of the open transaction. */
  get client(): ClientBase {
    if (this.#client !== undefined && this.#isTransaction) return this.#client;
    throw toUnavailable("database-unreachable", new Error("the connection was lost during the transaction"));
  }

  readonly noteError = (error: unknown): void => {
    this.#hasFailed = true;
    if (isConnectionLost(error)) this.#drop();
  };

  async beginUnit(): Promise<void> {
    this.#isFirstUnit = !this.#isTransaction;
    this.#hasFailed = false;
    if (!this.#isFirstUnit) return this.#execute("SAVEPOINT work");
    try {
      await this.#begin();
    } catch (error) {
      // the server was restarted since the last transaction: nothing was sent yet
      if (!isConnectionLost(error) || this.#isClosed) throw toStorageError(error);
      await this.#begin().catch((again: unknown) => {
        throw toStorageError(again);
      });
    }
  }

  async endUnit(): Promise<void> {
    if (this.#hasFailed) throw new Error("A statement of the transaction failed, and the error was ignored.");
    if (!this.#isFirstUnit) await this.#execute("RELEASE work");
  }

  async undoUnit(): Promise<void> {
    if (!this.#isTransaction) return;
    try {
      await this.#execute(this.#isFirstUnit ? "ROLLBACK" : "ROLLBACK TO work; RELEASE work");
      if (this.#isFirstUnit) this.#isTransaction = false;
    } catch {
      this.#drop();
    }
  }

  async commit(): Promise<void> {
    const client = this.client;
    try {
      const result = await client.query(`${this.#notification()}${this.#storeMark()}COMMIT`);
      const { command } = (Array.isArray(result) ? result.at(-1) : result) as { command: string };
      this.#isTransaction = false;
      if (command !== "COMMIT") throw new Error("The database rolled back the transaction.");
    } catch (error) {
      this.#drop();
      if (!isConnectionLost(error)) throw toStorageError(error);
      await this.#findOutcome(error);
    }
  }

  /** Opens the connection unless it is open. */
  async connect(): Promise<Client> {
    if (this.#isClosed) throw new Error("The storage is closed.");
    this.#client ??= await this.#open();
    return this.#client;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await withinReason(client.end());
  }

  async #begin(): Promise<void> {
    const client = await this.connect();
    try {
      const results = (await client.query(
        `BEGIN; SELECT pg_advisory_xact_lock(${writeLock}); SELECT pg_current_xact_id()::text AS id${this.#readNode()}`,
      )) as unknown as { rows: { id: string; fence?: number; seq?: number | null }[] }[];
      this.#transactionId = results[2]?.rows[0]?.id ?? "";
      this.#assertFence(results[3]?.rows[0]?.fence);
      this.seqBefore = results[4]?.rows[0]?.seq ?? 0;
      this.#isTransaction = true;
    } catch (error) {
      // also after a timeout: the connection is inside a failed transaction
      this.#drop();
      throw error;
    }
  }

  #readNode(): string {
    return this.#node === undefined ? "" : `; SELECT fence FROM nodes WHERE id = '${this.#node.id}'; SELECT max(seq) AS seq FROM events`;
  }

  #assertFence(fence: number | undefined): void {
    const node = this.#node;
    if (node === undefined || (fence !== undefined && fence === node.fence)) return;
    const wasRegistered = node.fence !== undefined;
    node.fence = undefined;
    if (wasRegistered) node.onLost();
    throw toUnavailable("lease-lost", new Error(wasRegistered ? "its fence was replaced" : "it is not registered"));
  }

  /** Notifies the other nodes if the transaction has appended events. */
  #notification(): string {
    if (this.#node === undefined) return "";
    return `SELECT pg_notify('${eventChannel}', max(seq)::text) FROM events HAVING max(seq) > ${this.seqBefore}; `;
  }

  #storeMark(): string {
    if (this.#node === undefined) return "";
    this.#mark = randomUUID();
    return `INSERT INTO node_commits VALUES ('${this.#node.id}', '${this.#mark}') ON CONFLICT (node_id) DO UPDATE SET mark = excluded.mark; `;
  }

  async #open(): Promise<Client> {
    const settings = toConnectionSettings(this.#url, this.#name);
    const client = new Client({
      ...settings,
      idle_in_transaction_session_timeout: this.#node === undefined ? 60_000 : idleInTransactionMs,
    });
    const forget = (): void => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#isTransaction = false;
    };
    client.on("error", forget).on("end", forget);
    try {
      await client.connect();
      await client.query(sessionSettings);
      if (this.#lock !== undefined) await this.#takeServerLock(client, this.#lock);
      return client;
    } catch (error) {
      void client.end().catch(() => {});
      throw toStorageError(error);
    }
  }

  async #takeServerLock(client: Client, kind: "shared" | "alone"): Promise<void> {
    const take = kind === "shared" ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock";
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query<{ locked: boolean }>(`SELECT ${take}(${serverLock}) AS locked`);
      if (rows[0]?.locked) return;
      if (tries === lockTries) throw toUnavailable("database-in-use", new Error("its lock is held by another connection"));
      await this.#endEarlierConnections(client);
      await wait(lockRetryMs);
    }
  }

  /** After a network failure, the server may still hold the session that this process has lost. */
  async #endEarlierConnections(client: Client): Promise<void> {
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> pg_backend_pid()", [
      this.#name,
    ]);
  }

  /** The connection was lost during COMMIT, so its outcome is unknown. Resolves if the database has committed. */
  async #findOutcome(cause: unknown): Promise<void> {
    const id = this.#transactionId;
    const until = performance.now() + outcomeTimeoutMs;
    for (let delay = 50; performance.now() < until && !this.#isClosed; delay = Math.min(delay * 2, 1000)) {
      const outcome = await this.#askOutcome(id).catch((error: unknown) => {
        if (!isConnectionLost(error)) this.#logger?.error({ err: error }, "The outcome of a commit could not be read");
        return "unreachable";
      });
      if (outcome === "committed") return;
      if (outcome === "aborted") throw toStorageError(cause);
      await wait(delay);
    }
    const text = "The connection to the database was lost during a commit: this may be saved, or not.";
    throw new StorageUnavailableError("database-unreachable", text, { cause });
  }

  async #askOutcome(id: string): Promise<string> {
    const client = new Client(toConnectionSettings(this.#url, "skein commit check"));
    client.on("error", () => {});
    try {
      await client.connect();
      await this.#endEarlierConnections(client);
      const { rows } = await client.query<{ status: string | null }>("SELECT pg_xact_status($1::text::xid8) AS status", [id]);
      const status = rows[0]?.status ?? "unknown";
      if (status !== "committed" || this.#node === undefined) return status;
      // A crash that loses the transaction can free its id for another one. Only after the status: it may have been committing.
      const found = await client.query<{ mark: string }>("SELECT mark FROM node_commits WHERE node_id = $1", [this.#node.id]);
      return found.rows[0]?.mark === this.#mark ? status : "aborted";
    } catch (error) {
      // a standby was promoted that had not received this transaction
      if (error instanceof Error && error.message.includes("is in the future")) return "aborted";
      throw error;
    } finally {
      void client.end().catch(() => {});
    }
  }

  async #execute(sql: string): Promise<void> {
    try {
      await this.client.query(sql);
    } catch (error) {
      this.noteError(error);
      throw toStorageError(error);
    }
  }

  #drop(): void {
    const client = this.#client;
    this.#client = undefined;
    this.#isTransaction = false;
    void client?.end().catch(() => {});
  }
}
