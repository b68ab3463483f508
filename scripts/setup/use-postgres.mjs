import { startPostgres } from "./postgres.mjs";

/**
 * Vitest's global setup for tests on Postgres: starts one server for the whole run, unless `SKEIN_TEST_DATABASE_URL` names one. Without
 * an installed Postgres the tests that need it are skipped; `npm test` reports that as a failed step.
 */
export async function setup() {
  if (process.env.SKEIN_TEST_DATABASE_URL) return undefined;
  const server = await startPostgres();
  if (server === undefined) return undefined;
  process.env.SKEIN_TEST_DATABASE_URL = server.url;
  return server.stop;
}
