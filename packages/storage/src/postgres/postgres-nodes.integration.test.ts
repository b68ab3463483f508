import {
  createId,
  type HostId,
  type Job,
  type NodeId,
  type RunningExecution,
  type SequencedEvent,
  type StoredHost,
} from "@skein/contracts";
import type { Storage, StorageNodes } from "@skein/engine";
import { buildTask } from "@skein/testkit";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestDatabases, testServerUrl } from "./__fixtures__/test-databases.ts";
import { openPostgresStorage } from "./open-postgres-storage.ts";

interface OpenNode {
  storage: Storage;
  nodes: StorageNodes;
  published: SequencedEvent[];
}

const at = 1_700_000_000_000;
const project = {
  ...{ id: createId("prj"), name: "example", path: "/example", systemPrompt: "", createdAt: at, updatedAt: at },
};

describe.skipIf(testServerUrl === undefined)("[W2] nodes of a Postgres storage", () => {
  const databases = createTestDatabases();

  async function open(url: string, { id = createId("nod"), leaseMs = 60_000 }: { id?: NodeId; leaseMs?: number } = {}): Promise<OpenNode> {
    const storage = await openPostgresStorage({ url, node: { id, leaseMs } });
    onTestFinished(() => storage.close());
    const published: SequencedEvent[] = [];
    storage.onCommitted((events) => published.push(...events));
    const { nodes } = storage;
    if (nodes === undefined) throw new Error("a storage without nodes");
    return { storage, nodes, published };
  }

  const register = ({ nodes }: OpenNode, name = "one") => nodes.register({ name, version: "1.0.0" });

  async function addTask({ storage }: OpenNode, title: string): Promise<void> {
    const task = buildTask({ id: createId("tsk"), projectId: project.id, title });
    await storage.transaction(async (tx) => {
      await tx.insertTask(task);
      await tx.appendEvent({ type: "task:created", taskId: task.id, task }, at);
    });
  }

  /** A running execution on the machine of `owner`, or on a worker. */
  async function addExecution({ storage }: OpenNode, hostId?: HostId): Promise<RunningExecution> {
    const taskId = createId("tsk");
    const attemptId = createId("att");
    const execution = { id: createId("exe"), taskId, attemptId, number: 1, status: "running", startedAt: at } as const;
    await storage.transaction(async (tx) => {
      await tx.insertTask(buildTask({ id: taskId, projectId: project.id }));
      await tx.insertAttempt({
        ...{
          id: attemptId,
          taskId,
          number: 1,
          agent: "native",
          model: null,
          permissionMode: "ask",
          systemPrompt: "",
          isolation: "in-place",
        },
        ...{ directory: "/example", branch: null, baseBranch: null, baseCommit: null, sessionId: null, continuedFrom: null, active: true },
        ...{ createdAt: at, updatedAt: at, ...(hostId === undefined ? {} : { hostId }) },
      });
      await tx.insertExecution(execution);
    });
    return execution;
  }

  it("[Q23] publishes the events of all nodes at each of them, in one order, none twice", async () => {
    const url = await databases.create();
    const all = [await open(url), await open(url), await open(url)];
    for (const [index, one] of all.entries()) await register(one, `node ${index}`);
    await all[0]?.storage.transaction((tx) => tx.insertProject(project));
    const rounds = 20;
    await Promise.all(
      all.map(async (one, index) => {
        for (let round = 0; round < rounds; round++) await addTask(one, `${index}/${round}`);
      }),
    );
    const total = all.length * rounds;
    await vi.waitFor(() => expect(all.map(({ published }) => published.length)).toEqual(all.map(() => total)), { timeout: 20_000 });
    const [first = [], ...others] = all.map(({ published }) => published.map(({ seq }) => seq));
    expect(first).toEqual([...new Set(first)].sort((a, b) => a - b));
    for (const numbers of others) expect(numbers).toEqual(first);
  });

  it("[Q23] events arrive while no connection listens: a lost notification costs time, never an event or their order", async () => {
    const url = await databases.create();
    const all = [await open(url), await open(url)];
    for (const [index, one] of all.entries()) await register(one, `node ${index}`);
    const [writer, reader] = all as [OpenNode, OpenNode];
    await writer.storage.transaction((tx) => tx.insertProject(project));
    const observer = new Client({ connectionString: url });
    await observer.connect();
    onTestFinished(() => observer.end());
    const listeners = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'skein node'";
    const countListeners = async () => Number((await observer.query(`SELECT count(*) AS count ${listeners}`)).rows[0].count);
    let unheard = 0;
    const rounds = 6;
    for (let round = 0; round < rounds; round++) {
      await vi.waitFor(async () => expect(await countListeners()).toBe(2), { timeout: 20_000 });
      await observer.query(`SELECT pg_terminate_backend(pid, 5000) ${listeners}`);
      await addTask(writer, `cut ${round}`);
      // nobody has heard of it: neither can have connected between the two
      if ((await countListeners()) === 0) unheard++;
      if (round % 2 === 0) await addTask(reader, `own ${round}`);
    }
    expect(unheard).toBeGreaterThan(0);
    const total = rounds * 1.5;
    await vi.waitFor(() => expect(all.map(({ published }) => published.length)).toEqual([total, total]), { timeout: 20_000 });
    const [first = [], second = []] = all.map(({ published }) => published.map(({ seq }) => seq));
    expect(first).toEqual([...new Set(first)].sort((one, other) => one - other));
    expect(second).toEqual(first);
  });

  it("[Q23] a node that is not registered, or was considered lost, cannot write; with a new fence it can", async () => {
    const url = await databases.create();
    const [one, other] = [await open(url, { leaseMs: 300 }), await open(url)];
    const insert = () => one.storage.transaction((tx) => tx.insertProject(project));
    await expect(insert()).rejects.toMatchObject({ failure: "lease-lost" });
    await register(one);
    await register(other, "other");
    const lost = vi.fn();
    one.nodes.onLost(lost);
    await vi.waitFor(async () => expect(await other.nodes.markLost()).toEqual([one.nodes.id]), { timeout: 20_000 });
    expect((await other.nodes.list()).find(({ id }) => id === one.nodes.id)).toMatchObject({ state: "lost", isAlive: false });
    expect(await one.nodes.renew({ internalUrl: "" })).toBe(false);
    await expect(insert()).rejects.toMatchObject({ failure: "lease-lost" });
    expect(lost).toHaveBeenCalledOnce();
    expect(await other.storage.read.listProjects()).toEqual([]);
    await register(one);
    await insert();
    expect(await other.storage.read.listProjects()).toEqual([{ ...project, nodeId: one.nodes.id }]);
  });

  it("[Q23] executions belong to the node of their attempt; those of a removed node to the one that removed it, once", async () => {
    const url = await databases.create();
    const [one, other, third] = [await open(url, { leaseMs: 300 }), await open(url), await open(url)];
    for (const node of [one, other, third]) await register(node);
    await one.storage.transaction((tx) => tx.insertProject(project));
    const execution = await addExecution(one);
    const own = async ({ storage }: OpenNode) => (await storage.read.listRunningExecutions({ isOwn: true })).map(({ id }) => id);
    expect([await own(one), await own(other)]).toEqual([[execution.id], []]);
    expect(await other.nodes.findNodeOf({ id: execution.id })).toBe(one.nodes.id);
    expect(await other.nodes.findNodeOf({ id: execution.attemptId })).toBe(one.nodes.id);
    const position = { executionId: execution.id, offset: 1, ingestState: null, entries: [] };
    await expect(other.storage.transaction((tx) => tx.setIngestPosition(position))).rejects.toMatchObject({ failure: "lease-lost" });
    await one.storage.transaction((tx) => tx.setIngestPosition(position));

    const changed = vi.fn();
    one.nodes.onChanged(changed);
    await other.nodes.requestStop({ executionId: execution.id, at });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 20_000 });
    expect(await one.nodes.listStopRequests()).toEqual([{ executionId: execution.id, at }]);

    await vi.waitFor(async () => expect(await other.nodes.markLost()).toEqual([one.nodes.id]), { timeout: 20_000 });
    expect(await other.nodes.remove({ id: one.nodes.id, silentMs: 60_000 })).toBeUndefined();
    const removed = await Promise.all([other, third].map(({ nodes }) => nodes.remove({ id: one.nodes.id, silentMs: 0 })));
    expect(removed.filter((executions) => executions !== undefined)).toEqual([[execution.id]]);
    expect([await own(one), ...(await own(other)), ...(await own(third))]).toEqual([[], execution.id]);
    expect(await other.nodes.remove({ id: other.nodes.id, silentMs: 0 })).toBeUndefined();
  });

  it("[Q23, W3] executions on a worker go to the node that holds its connection, once their owner is lost or stopped, and not before", async () => {
    const url = await databases.create();
    const [one, other, third] = [await open(url, { leaseMs: 300 }), await open(url), await open(url)];
    for (const node of [one, other, third]) await register(node);
    const worker: StoredHost = {
      ...{ id: createId("hst"), kind: "worker", name: "box", tags: [], capacity: 1, version: "1", agents: [], state: "active" },
      ...{ tokenHash: "hash", expiresAt: null, lastSeenAt: null, connectedNodeId: null, createdAt: at },
    };
    await one.storage.transaction(async (tx) => {
      await tx.insertProject(project);
      await tx.insertHost(worker);
    });
    const execution = await addExecution(one, worker.id);
    await other.nodes.claimHost({ id: worker.id });
    expect(await other.nodes.findConnectionOf({ id: execution.attemptId })).toBe(other.nodes.id);
    expect(await other.nodes.takeOver()).toEqual([]);
    await vi.waitFor(async () => expect(await other.nodes.markLost()).toEqual([one.nodes.id]), { timeout: 20_000 });
    // only the holder of the connection
    expect(await third.nodes.takeOver()).toEqual([]);
    expect(await other.nodes.takeOver()).toEqual([execution.id]);
    expect(await other.nodes.takeOver()).toEqual([]);
    const position = { executionId: execution.id, offset: 1, ingestState: null, entries: [] };
    await other.storage.transaction((tx) => tx.setIngestPosition(position));
    // also when it is back
    await register(one);
    await expect(one.storage.transaction((tx) => tx.setIngestPosition(position))).rejects.toMatchObject({ failure: "lease-lost" });
    // an older connection that ends late
    await third.nodes.claimHost({ id: worker.id });
    await other.nodes.releaseHost({ id: worker.id });
    expect(await other.nodes.findConnectionOf({ id: execution.attemptId })).toBe(third.nodes.id);
    await other.nodes.leave();
    expect(await third.nodes.takeOver()).toEqual([execution.id]);
  });

  it("[Q23, W2] a job is claimed by one node; another one gets it when that node is lost, and the first cannot end it any more", async () => {
    const url = await databases.create();
    const [one, other] = [await open(url, { leaseMs: 300 }), await open(url)];
    for (const node of [one, other]) await register(node);
    const job: Job = {
      ...{ id: createId("job"), name: "x", key: null, data: null, state: "waiting", runAt: at, tries: 0, maxTries: 2, backoffMs: 0 },
      ...{ createdAt: at, startedAt: null, endedAt: null, error: null, nodeId: null },
    };
    await one.storage.transaction((tx) => tx.insertJob(job));
    const claim = ({ storage }: OpenNode) => storage.transaction((tx) => tx.claimJobs({ names: ["x"], limit: 1, at }));
    const [claimed, ...others] = [...(await claim(one)), ...(await claim(other))];
    expect([claimed?.nodeId, others]).toEqual([one.nodes.id, []]);
    const reclaim = () => other.storage.transaction((tx) => tx.reclaimJobs({ known: [] }));
    expect(await reclaim()).toEqual([]);
    await vi.waitFor(async () => expect(await other.nodes.markLost()).toEqual([one.nodes.id]), { timeout: 20_000 });
    expect(await reclaim()).toMatchObject([{ id: job.id, nodeId: other.nodes.id }]);
    await register(one);
    const done: Job = { ...job, state: "done", endedAt: at };
    expect(await one.storage.transaction((tx) => tx.updateJob(done, { state: "running", tries: 1 }))).toBe(false);
    expect(await other.storage.transaction((tx) => tx.updateJob(done, { state: "running", tries: 1 }))).toBe(true);
  });

  it("shares a secret and browser sessions; an exclusive storage waits for all nodes to leave", async () => {
    const url = await databases.create();
    const [one, other] = [await open(url), await open(url)];
    for (const node of [one, other]) await register(node);
    expect(await one.nodes.readSecret()).toBe(await other.nodes.readSecret());
    const session = { cookieHash: "a", secretHash: "b", createdAt: at, expiresAt: at + 1 };
    await one.nodes.putSessions([session]);
    expect(await other.nodes.listSessions()).toEqual([session]);
    await other.nodes.deleteSessions({ cookieHashes: ["a"] });
    expect(await one.nodes.listSessions()).toEqual([]);
    await expect(openPostgresStorage({ url, exclusive: true })).rejects.toMatchObject({ failure: "database-in-use" });
    await one.nodes.leave();
    await one.storage.close();
    expect((await other.nodes.list()).map(({ state }) => state)).toEqual(["stopped", "active"]);
    await other.storage.close();
    await (await openPostgresStorage({ url, exclusive: true })).close();
  });
});
