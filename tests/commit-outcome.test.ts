import { createId } from "@skein/contracts";
import { buildProject } from "@skein/testkit";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openCutProxy } from "../packages/storage/src/postgres/__fixtures__/cut-proxy.ts";
import { openServerQueries } from "../packages/storage/src/postgres/__fixtures__/query-server.ts";
import { testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { openPostgresStorage } from "../packages/storage/src/postgres/open-postgres-storage.ts";
import { startPostgres } from "../scripts/setup/postgres.mjs";

describe.skipIf(testServerUrl === undefined)("[E6, Q5] a commit whose answer was lost", () => {
  test("is not taken for saved because a crash has freed the id of its transaction, and another server was given it", async () => {
    const postgres = await startPostgres({ durable: true });
    if (postgres === undefined) throw new Error("Postgres is not installed");
    onTestFinished(() => postgres.stop());
    const observer = openServerQueries(postgres.url);
    onTestFinished(() => observer.close());
    await observer.query("CREATE DATABASE skein ENCODING 'UTF8' TEMPLATE template0");
    // what is not committed is not on the disk when it crashes
    await observer.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
    await observer.query("SELECT pg_reload_conf()");
    const url = new URL(postgres.url);
    url.pathname = "/skein";
    const proxy = await openCutProxy(url.href);
    onTestFinished(() => proxy.close());
    const open = async (address: string, name: string) => {
      const storage = await openPostgresStorage({ url: address, node: { id: createId("nod"), leaseMs: 60_000 } });
      onTestFinished(() => storage.close());
      await storage.nodes?.register({ name, version: "1" });
      return storage;
    };
    const first = await open(proxy.url, "first");
    const second = await open(url.href, "second");
    const published: unknown[] = [];
    first.onCommitted((events) => published.push(...events));
    const add = (storage: typeof first) => {
      const project = buildProject({ id: createId("prj"), path: `/${createId("prj")}` });
      return storage.transaction(async (tx) => {
        await tx.insertProject(project);
        await tx.appendEvent({ type: "project:created", projectId: project.id, project }, 1);
        return project.id;
      });
    };
    await add(first);
    // it is published a moment after its commit
    await vi.waitFor(() => expect(published).toHaveLength(1));
    published.length = 0;
    await observer.query("CHECKPOINT");

    const cut = proxy.cutBeforeCommit();
    const lost = add(first).catch((error: unknown) => error);
    await cut;
    await postgres.restart("immediate");
    // takes the ids that are free again
    const others: string[] = [];
    await vi.waitFor(async () => others.push(await add(second)), { timeout: 60_000, interval: 20 });
    for (let more = 0; more < 5; more++) others.push(await add(second));
    proxy.restore();

    expect(await lost).toMatchObject({ failure: "database-unreachable" });
    expect(
      published.filter(
        (event) => !JSON.stringify(event).includes(`"${others[0]}"`) && !others.some((id) => JSON.stringify(event).includes(id)),
      ),
    ).toEqual([]);
    expect((await second.read.listProjects()).filter(({ id }) => !others.includes(id))).toHaveLength(1);
  });
});
