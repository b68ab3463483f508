import type { ServerQueries } from "../../../packages/storage/src/postgres/__fixtures__/query-server.ts";

export interface DatabaseUsage {
  megabytes: number;
  statements: number;
  transactions: number;
  connections: number;
  /** The largest tables with their indexes. */
  tables: { name: string; megabytes: number; rows: number }[];
  /** The statements that took the most time. */
  slowest: { statement: string; calls: number; seconds: number }[];
}

/** Counters start anew when Postgres recovers from an immediate shutdown: they are added up by the caller. */
export async function readDatabaseUsage(database: ServerQueries): Promise<DatabaseUsage> {
  const [totals] = await database.query<Record<"size" | "calls" | "commits" | "connections", string>>(`
    SELECT pg_database_size('skein') AS size,
      (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements) AS calls,
      (SELECT xact_commit FROM pg_stat_database WHERE datname = 'skein') AS commits,
      (SELECT count(*) FROM pg_stat_activity WHERE datname = 'skein') AS connections`);
  const tables = await database.query<{ name: string; size: string; rows: string }>(`
    SELECT relname AS name, pg_total_relation_size(relid) AS size, n_live_tup AS rows FROM pg_stat_user_tables
    ORDER BY pg_total_relation_size(relid) DESC LIMIT 8`);
  const slowest = await database.query<{ query: string; calls: string; ms: number }>(
    "SELECT query, calls, total_exec_time AS ms FROM pg_stat_statements ORDER BY total_exec_time DESC LIMIT 12",
  );
  return {
    megabytes: Number(totals?.size) / 2 ** 20,
    statements: Number(totals?.calls),
    transactions: Number(totals?.commits),
    connections: Number(totals?.connections),
    tables: tables.map(({ name, size, rows }) => ({ name, megabytes: Number(size) / 2 ** 20, rows: Number(rows) })),
    slowest: slowest.map(({ query, calls, ms }) => ({
      statement: query.replaceAll(/\s+/g, " ").slice(0, 110),
      calls: Number(calls),
      seconds: ms / 1000,
    })),
  };
}
