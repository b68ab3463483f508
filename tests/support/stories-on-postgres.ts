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
  ...["node-drain", "node-leases", "shared-settings", "commit-outcome", "nodes", "nodes-users", "postgres", "worker-failover"],
  // are about the files of SQLite
  ...["faults", "faults-elsewhere", "kill-points", "long-attempts", "lost-database", "upgrade"],
];

const folder = join(import.meta.dirname, "..");

const listTests = (path: string): string[] =>
  readdirSync(path).flatMap((name) => (name.endsWith(".test.ts") ? [name.slice(0, -".test.ts".length)] : []));

export function storiesOnPostgres({ isLong }: { isLong: boolean }): string[] {
  const chosen = isLong ? listTests(folder).filter((name) => !withoutDatabase.includes(name)) : central;
  return chosen.map((name) => `tests/${name}.test.ts`);
}

/** Browser tests that are about several servers, which only Postgres has. */
export const browserTestsOfNodes = ["tests/browser/nodes.test.ts"];

/** Stories in the browser that every `npm test` runs on both databases; the long tests run all. */
const centralInBrowser = ["story", "nodes"];

/** Measure the server, or read the files of SQLite. */
const browserWithoutDatabase = ["benchmarks", "faults"];

export function browserStoriesOnPostgres({ isLong }: { isLong: boolean }): string[] {
  const chosen = isLong ? listTests(join(folder, "browser")).filter((name) => !browserWithoutDatabase.includes(name)) : centralInBrowser;
  return chosen.map((name) => `tests/browser/${name}.test.ts`);
}
