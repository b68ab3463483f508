import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Stories that every `npm test` runs on both databases; the long tests run all. What a story does in the database is also proven by the
 * contract of storage, on both.
 */
const central = ["landing", "queue-pause", "running-limits", "search-and-export", "story"];

/** Tests that one database is enough for. */
const withoutDatabase = [
  // start no server
  ...["agent-matrix", "browser-bundle", "client-package", "deployment", "engine-package", "full-disk-reading", "runner-imports"],
  // choose their databases themselves
  ...["nodes", "nodes-users", "postgres", "worker-failover"],
  // are about the files of SQLite
  ...["faults", "faults-elsewhere", "kill-points", "long-attempts", "lost-database", "upgrade"],
];

const folder = join(import.meta.dirname, "..");

export function storiesOnPostgres({ isLong }: { isLong: boolean }): string[] {
  const all = readdirSync(folder).flatMap((name) => (name.endsWith(".test.ts") ? [name.slice(0, -".test.ts".length)] : []));
  const chosen = isLong ? all.filter((name) => !withoutDatabase.includes(name)) : central;
  return chosen.map((name) => `tests/${name}.test.ts`);
}
