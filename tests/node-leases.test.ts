import { setTimeout as wait } from "node:timers/promises";
import { createId, type NodeId } from "@skein/contracts";
import type { Storage, StorageNodes } from "@skein/engine";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { joinNodes, type NodeDuties } from "../packages/server/src/nodes/join-nodes.ts";
import { silentLogger } from "../packages/server/src/silent-logger.fixture.ts";
import { openServerQueries } from "../packages/storage/src/postgres/__fixtures__/query-server.ts";
import { createTestDatabases, runOnServer, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { writeLock } from "../packages/storage/src/postgres/advisory-locks.ts";
import { openPostgresStorage } from "../packages/storage/src/postgres/open-postgres-storage.ts";

const leaseMs = 2000;

const idle: NodeDuties = {
  release: async () => {},
  reconcile: async () => {},
  take: () => {},
  synchronise: async () => {},
  stop: () => {},
  progress: () => ({ agents: 0, following: 0, jobs: 0, waiting: 0, workers: 0 }),
  handOver: async () => {},
};

/** What a duty does until it is let go. */
function blockedDuty() {
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  return vi.fn(() => promise);
}

describe.skipIf(testServerUrl === undefined)("[W2] the lease of a server", () => {
  const databases = createTestDatabases();

  async function open(url: string, id: NodeId = createId("nod")): Promise<{ storage: Storage; nodes: StorageNodes }> {
    const storage = await openPostgresStorage({ url, node: { id, leaseMs } });
    onTestFinished(() => storage.close());
    if (storage.nodes === undefined) throw new Error("a storage without nodes");
    return { storage, nodes: storage.nodes };
  }

  async function join(url: string, duties: Partial<NodeDuties> = {}) {
    const { storage, nodes } = await open(url);
    const membership = await joinNodes({ nodes, name: "one", version: "1.0.0", leaseMs, giveUpMs: 600_000, logger: silentLogger });
    onTestFinished(() => void membership.close());
    await membership.announce("http://127.0.0.1:1");
    membership.start({ ...idle, ...duties });
    return { id: nodes.id, storage, nodes };
  }

  /** A server that sees only what the database says. */
  async function openWitness(url: string) {
    const { nodes } = await open(url);
    await nodes.register({ name: "witness", version: "1.0.0" });
    const isAlive = async (id: NodeId) => (await nodes.list()).find((node) => node.id === id)?.isAlive;
    return {
      isAlive,
      async expectAlive(id: NodeId, forMs: number): Promise<void> {
        for (const until = Date.now() + forMs; Date.now() < until; await wait(50)) expect(await isAlive(id)).toBe(true);
      },
    };
  }

  /** The lock of writers, as a server has it that was paused in the middle of a transaction. */
  async function holdWriteLock(url: string): Promise<() => Promise<void>> {
    const client = openServerQueries(url);
    onTestFinished(client.close);
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${writeLock})`);
    return async () => void (await client.query("ROLLBACK"));
  }

  test("[Q23] is kept while what the server does about the others takes longer", async () => {
    const url = await databases.create();
    const witness = await openWitness(url);
    const synchronise = blockedDuty();
    const { id } = await join(url, { synchronise });
    await vi.waitFor(() => expect(synchronise).toHaveBeenCalled(), { timeout: 20_000, interval: 200 });
    await witness.expectAlive(id, 3 * leaseMs);
  });

  test("[Q23] is kept while the server takes up its executions again after it was considered lost", async () => {
    const url = await databases.create();
    const witness = await openWitness(url);
    const reconcile = blockedDuty();
    const { id } = await join(url, { reconcile });
    await runOnServer(url, "UPDATE nodes SET state = 'lost', fence = fence + 1 WHERE name = 'one'");
    await vi.waitFor(() => expect(reconcile).toHaveBeenCalled(), { timeout: 20_000, interval: 200 });
    await witness.expectAlive(id, 3 * leaseMs);
    // and registered once more if that happens again meanwhile
    await runOnServer(url, "UPDATE nodes SET state = 'lost', fence = fence + 1 WHERE name = 'one'");
    await vi.waitFor(async () => expect(await witness.isAlive(id)).toBe(true), { timeout: 20_000, interval: 50 });
  });

  test("[Q23] is kept while a paused server keeps all others from writing, also with a lost one to be marked", async () => {
    const url = await databases.create();
    const witness = await openWitness(url);
    const { id } = await join(url);
    const lost = await open(url);
    await lost.nodes.register({ name: "lost", version: "1.0.0" });
    const release = await holdWriteLock(url);
    await witness.expectAlive(id, 3 * leaseMs);
    await release();
    await vi.waitFor(async () => expect((await lost.nodes.list()).find(({ name }) => name === "lost")?.state).toBe("lost"), {
      timeout: 20_000,
    });
  });

  test("[Q23] is taken again at once when writing has been blocked for long, and by one registration", async () => {
    const url = await databases.create();
    const witness = await openWitness(url);
    const { id, storage } = await join(url);
    const release = await holdWriteLock(url);
    await runOnServer(url, "UPDATE nodes SET state = 'lost', fence = 100 WHERE name = 'one'");
    await wait(10_000);
    await release();
    await vi.waitFor(async () => expect(await witness.isAlive(id)).toBe(true), { timeout: leaseMs, interval: 20 });
    await storage.transaction(async () => {});
    const client = openServerQueries(url);
    onTestFinished(client.close);
    expect(await client.query("SELECT fence, state FROM nodes WHERE name = 'one'")).toEqual([{ fence: "101", state: "active" }]);
  });
});
