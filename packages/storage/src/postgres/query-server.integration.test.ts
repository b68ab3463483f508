import { describe, expect, test } from "vitest";
import { openServerQueries } from "./__fixtures__/query-server.ts";
import { createTestDatabases, testServerUrl } from "./__fixtures__/test-databases.ts";

describe.skipIf(testServerUrl === undefined)("[W6] the observer of tests and simulations", () => {
  const databases = createTestDatabases();

  test("leaves no session behind after its connection was cut", async () => {
    const url = await databases.create();
    const observer = openServerQueries(url);
    const other = openServerQueries(testServerUrl ?? "");
    const cut = () =>
      other.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'observer' AND datname = '${new URL(url).pathname.slice(1)}'`,
      );
    for (let round = 0; round < 10; round++) {
      await observer.query("SELECT 1");
      await cut();
      // at once: what is known about the lost connection arrives while the next one opens
      for (let tries = 0; tries < 3; tries++) await observer.query("SELECT 1").catch(() => {});
    }
    await observer.close();
    const left = () => other.query(`SELECT pid FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`);
    await expect.poll(left, { timeout: 10_000 }).toEqual([]);
    await other.close();
  });
});
