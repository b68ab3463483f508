import { Client } from "pg";

/** A connection to a database that is opened again after it was lost: the server may be restarted at any time. */
export interface ServerQueries {
  /** Rejects while the server cannot be reached. */
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export function openServerQueries(url: string): ServerQueries {
  let opening: Promise<Client> | undefined;
  /** One statement at a time: several parts of a test may ask at once. */
  let last: Promise<unknown> = Promise.resolve();
  const open = async (): Promise<Client> => {
    const client = new Client({ connectionString: url, application_name: "observer", connectionTimeoutMillis: 3000 });
    client.on("error", () => {});
    await client.connect();
    return client;
  };
  /** Unless another one was opened since: it would be left open for good. */
  const forgetWhenLost = (opened: Promise<Client>): void => {
    const forget = (): void => {
      if (opening === opened) opening = undefined;
    };
    opened.then((client) => client.on("error", forget).on("end", forget), forget);
  };
  const run = async <Row extends object>(sql: string, values: readonly unknown[]): Promise<Row[]> => {
    if (opening === undefined) {
      opening = open();
      forgetWhenLost(opening);
    }
    const current = opening;
    try {
      return (await (await current).query<Row>(sql, [...values])).rows;
    } catch (error) {
      if (opening === current) opening = undefined;
      void current.then((client) => client.end()).catch(() => {});
      throw error;
    }
  };
  return {
    query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      const result = last.then(() => run<Row>(sql, values));
      last = result.catch(() => {});
      return result;
    },
    async close() {
      await opening?.then((client) => client.end()).catch(() => {});
    },
  };
}
