import { setTimeout as wait } from "node:timers/promises";
import { type ClientConfig, types } from "pg";
import { fromStoredText } from "./stored-text.ts";

const statementTimeoutMs = 30_000;

/** The URL is not a valid Postgres URL. It is not shown, because it may contain a password. */
export class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
}

function assertPostgresUrl(url: string): void {
  const example = "postgres://user:password@host:5432/database";
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new DatabaseUrlError(`The database URL does not start with postgres://. Example: ${example}`);
  if (!URL.canParse(url)) throw new DatabaseUrlError(`The database URL is not valid. Example: ${example}`);
}

/** Parses int8 as a number: none of our values exceeds 2^53. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [types.builtins.INT8]: Number,
  [types.builtins.NUMERIC]: Number,
  [types.builtins.TEXT]: fromStoredText,
};

/** Settings of every connection. `name` is what the server lists as its application. Throws `DatabaseUrlError`. */
export function toConnectionSettings(url: string, name: string): ClientConfig {
  assertPostgresUrl(url);
  return {
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    // detects connections that were cut silently; the server's own limit applies first
    query_timeout: statementTimeoutMs + 5000,
    // several statements are sent before the first result arrives
    pipeline: true,
    types: {
      getTypeParser: ((id: number, format?: "text" | "binary") =>
        (format === "binary" ? undefined : parsers[id]) ?? types.getTypeParser(id, format as "text")) as typeof types.getTypeParser,
    },
  };
}

/** Waits for connections to close, but not for a server that no longer answers. */
export async function withinReason(closing: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  const closed = closing.catch(() => {}).finally(() => timeout.abort());
  await Promise.race([closed, wait(2000, undefined, { signal: timeout.signal }).catch(() => {})]);
}
