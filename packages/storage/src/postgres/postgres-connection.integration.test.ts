import { type Storage, StorageConstraintError } from "@skein/engine";
import { buildApproval, buildAttempt, buildExecution, buildProject, buildTask, testId, testTime } from "@skein/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { NewerSchemaError, StorageUnavailableError, UnreadableDatabaseError } from "../errors.ts";
import { type CutProxy, openCutProxy } from "./__fixtures__/cut-proxy.ts";
import { createTestDatabases, runOnServer, testServerUrl } from "./__fixtures__/test-databases.ts";
import { DatabaseUrlError } from "./connection-settings.ts";
import { openPostgresStorage } from "./open-postgres-storage.ts";

const project = buildProject();
const other = buildProject({ id: testId("prj", 2) });

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("it did not fail"),
    (cause: unknown) => cause,
  );
  return error instanceof StorageUnavailableError ? error.failure : String(error);
}

const insert = (storage: Storage, one = project) =>
  storage.transaction(async (tx) => {
    await tx.insertProject(one);
    await tx.appendEvent({ type: "project:created", projectId: one.id, project: one }, testTime);
  });

describe.skipIf(testServerUrl === undefined)("a connection to Postgres", () => {
  const databases = createTestDatabases();
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function open(url: string, options: { exclusive?: boolean } = {}): Promise<Storage> {
    const storage = await openPostgresStorage({ url, ...options });
    opened.push(storage);
    return storage;
  }

  async function openThroughProxy(options: { exclusive?: boolean } = {}): Promise<{ storage: Storage; proxy: CutProxy; url: string }> {
    const url = await databases.create();
    const proxy = await openCutProxy(url);
    opened.push(proxy);
    return { storage: await open(proxy.url, options), proxy, url };
  }

  it("[Q16] that is lost makes work fail with its cause, stores nothing of it, and recovers automatically", async () => {
    const { storage, proxy } = await openThroughProxy();
    await insert(storage);
    const inTheMiddle = storage.transaction(async (tx) => {
      await tx.insertProject(other);
      proxy.cut();
      await tx.listProjects();
    });
    expect(await failureOf(inTheMiddle)).toBe("database-unreachable");
    expect(await failureOf(insert(storage, other))).toBe("database-unreachable");
    expect(await failureOf(storage.read.listProjects())).toBe("database-unreachable");
    expect(await failureOf(storage.snapshot((reader) => reader.listProjects()))).toBe("database-unreachable");
    proxy.restore();
    expect(await storage.read.listProjects()).toEqual([project]);
    await insert(storage, other);
    expect(await storage.snapshot((reader) => reader.listProjects())).toHaveLength(2);
  });

  it("[Q16] that is lost during reads and snapshots fails them, and nothing else", async () => {
    const { storage, proxy } = await openThroughProxy();
    await insert(storage);
    const inTheMiddle = storage.snapshot(async (reader) => {
      await reader.listProjects();
      proxy.cut();
      await reader.listProjects();
    });
    expect(await failureOf(inTheMiddle)).toBe("database-unreachable");
    proxy.restore();
    // interrupted somewhere between connecting and the last row
    for (let round = 0; round < 5; round++) {
      const reads = Promise.allSettled([1, 2, 3, 4].map(() => storage.read.listEvents({ after: 0, limit: 9 })));
      await new Promise((resolve) => setTimeout(resolve, round * 3));
      proxy.cut();
      for (const read of await reads) {
        if (read.status === "rejected") expect(await failureOf(Promise.reject(read.reason))).toBe("database-unreachable");
      }
      proxy.restore();
    }
    expect(await storage.read.listProjects()).toEqual([project]);
  });

  it("[Q16] all units of a group fail when it is lost, also those that were done", async () => {
    const { storage, proxy, url } = await openThroughProxy();
    const works = [
      insert(storage),
      storage.transaction(async (tx) => {
        proxy.cut();
        await tx.insertProject(other);
      }),
    ];
    expect(await Promise.all(works.map(failureOf))).toEqual(["database-unreachable", "database-unreachable"]);
    expect(await (await open(url)).read.listProjects()).toEqual([]);
  });

  it("[E6] [Q5] a commit whose answer was lost is reported as saved, once, and its events are published", async () => {
    const { storage, proxy } = await openThroughProxy({ exclusive: true });
    const published: number[] = [];
    storage.onCommitted((events) => published.push(...events.map(({ seq }) => seq)));
    proxy.cutAtCommit("after");
    await insert(storage);
    await insert(storage, other);
    expect((await storage.read.listEvents({ after: 0, limit: 9 })).map(({ seq }) => seq)).toEqual(published);
    expect(published).toHaveLength(2);
  });

  it("[E6] a commit that did not reach the database is reported as failed", async () => {
    const { storage, proxy } = await openThroughProxy({ exclusive: true });
    proxy.cutAtCommit("before");
    expect(await failureOf(insert(storage))).toBe("database-unreachable");
    expect(await storage.read.listProjects()).toEqual([]);
    await insert(storage);
    expect(await storage.read.listProjects()).toEqual([project]);
  });

  it("[Q16] work after a restart of the database server succeeds", async () => {
    const url = await databases.create();
    const storage = await open(url, { exclusive: true });
    await insert(storage);
    // leaves several idle connections
    await Promise.all([1, 2, 3].map(() => storage.read.listProjects()));
    await storage.snapshot((reader) => reader.listProjects());
    const name = new URL(url).pathname.slice(1);
    await runOnServer(
      testServerUrl ?? "",
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
    expect(await storage.read.listProjects()).toHaveLength(1);
    expect(await storage.snapshot((reader) => reader.listProjects())).toHaveLength(1);
    await insert(storage, other);
    expect(await storage.read.listProjects()).toHaveLength(2);
  });

  it("[Q16] a second server on the database is refused, and accepted when the first is gone", async () => {
    const url = await databases.create();
    const first = await open(url, { exclusive: true });
    expect(await failureOf(openPostgresStorage({ url, exclusive: true }))).toBe("database-in-use");
    await insert(first);
    await first.close();
    expect(await (await open(url, { exclusive: true })).read.listProjects()).toEqual([project]);
  });

  it("[Q16] a server that is read-only, rejects the user, or is not there, is named", async () => {
    const url = await databases.create();
    const storage = await open(url);
    const name = new URL(url).pathname.slice(1);
    await runOnServer(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const reader = openPostgresStorage({ url }).then(async (standby) => {
      opened.push(standby);
      await insert(standby);
    });
    expect(await failureOf(reader)).toBe("database-read-only");
    await storage.close();
    const missing = new URL(url);
    missing.pathname = "/skein_not_there";
    expect(await failureOf(openPostgresStorage({ url: missing.href }))).toBe("database-rejected");
    const nobody = new URL(url);
    nobody.port = "1";
    expect(await failureOf(openPostgresStorage({ url: nobody.href }))).toBe("database-unreachable");
    await expect(openPostgresStorage({ url: "mysql://host/database" })).rejects.toBeInstanceOf(DatabaseUrlError);
  });

  it("[Q16] a database of a newer Skein, or of another program, is refused and unchanged", async () => {
    const [newer, foreign] = [await databases.create(), await databases.create()];
    await (await open(newer)).close();
    await runOnServer(newer, "UPDATE schema_version SET version = 999");
    await expect(openPostgresStorage({ url: newer })).rejects.toBeInstanceOf(NewerSchemaError);
    await runOnServer(foreign, "CREATE TABLE projects (id int)");
    await expect(openPostgresStorage({ url: foreign })).rejects.toBeInstanceOf(UnreadableDatabaseError);
    await runOnServer(foreign, "INSERT INTO projects VALUES (1)");
  });

  it("[W1] of several processes that open an empty database, one creates its tables", async () => {
    const url = await databases.create();
    const storages = await Promise.all([1, 2, 3, 4].map(() => open(url)));
    await Promise.all(storages.map((storage, index) => insert(storage, buildProject({ id: testId("prj", index + 1) }))));
    expect(await storages[0]?.read.listProjects()).toHaveLength(4);
  });

  it("[E6] [W1] events of several writers have one order: a reader that continues from the last number misses none", async () => {
    const url = await databases.create();
    const writers = [await open(url), await open(url), await open(url)];
    const reader = await open(url);
    let isWriting = true;
    const seen: number[] = [];
    const reading = (async () => {
      for (let isLast = false; !isLast; ) {
        isLast = !isWriting;
        const events = await reader.read.listEvents({ after: seen.at(-1) ?? 0, limit: 1000 });
        seen.push(...events.map(({ seq }) => seq));
      }
    })();
    await Promise.all(
      writers.map(async (storage, writer) => {
        for (let number = 0; number < 25; number++) {
          const one = buildProject({ id: testId("prj", writer * 100 + number) });
          await insert(storage, one);
          // a failed unit also consumes sequence numbers
          await expect(insert(storage, one)).rejects.toThrow(StorageConstraintError);
        }
      }),
    );
    isWriting = false;
    await reading;
    const all = (await reader.read.listEvents({ after: 0, limit: 1000 })).map(({ seq }) => seq);
    expect(seen).toEqual(all);
    expect(all).toHaveLength(75);
  });

  it("[E1] [E10] of two processes, one starts an execution and one answers an approval", async () => {
    const url = await databases.create();
    const storages = [await open(url), await open(url)];
    await storages[0]?.transaction(async (tx) => {
      await tx.insertProject(project);
      await tx.insertTask(buildTask());
      await tx.insertAttempt(buildAttempt());
    });
    const started = await Promise.allSettled(
      storages.map((storage, index) =>
        storage.transaction((tx) => tx.insertExecution(buildExecution({ id: testId("exe", index + 1), number: index + 1 }))),
      ),
    );
    expect(started.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [execution] = (await storages[0]?.read.listRunningExecutions()) ?? [];
    const approval = buildApproval(execution && { executionId: execution.id });
    await storages[0]?.transaction((tx) => tx.insertApproval(approval));
    const answers = await Promise.all(
      storages.map((storage) =>
        storage.transaction((tx) => tx.answerApproval({ id: approval.id, decision: "allow", answerReason: null, resolvedAt: testTime })),
      ),
    );
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(1);
  });

  it("[Q13] stores U+0000 and halves of surrogate pairs, as an agent may print them", async () => {
    const storage = await open(await databases.create());
    const odd = { ...project, name: "a\0b\uffffc", systemPrompt: "\0" };
    await insert(storage, odd);
    expect(await storage.read.listProjects()).toEqual([odd]);
    await storage.transaction((tx) => tx.insertTask(buildTask({ title: "\0 \ud83d", description: "lamp\0house" })));
    expect(await storage.read.search({ text: "\0", limit: 9 })).toEqual([]);
    expect(await storage.read.search({ text: "lamp", limit: 9 })).toHaveLength(1);
  });

  it("a statement whose failure was ignored fails its unit, and no other", async () => {
    const storage = await open(await databases.create());
    const ignoring = (number: number) =>
      storage.transaction(async (tx) => {
        await tx.insertProject(buildProject({ id: testId("prj", number) }));
        await tx.insertTask(buildTask({ projectId: testId("prj", 99) })).catch(() => {});
      });
    const results = await Promise.allSettled([ignoring(3), insert(storage), ignoring(4), insert(storage, other)]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(await storage.read.listProjects()).toHaveLength(2);
  });
});
