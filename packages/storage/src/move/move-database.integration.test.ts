import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckRun } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import {
  buildApproval,
  buildAttempt,
  buildConversationMessage,
  buildEndedExecution,
  buildExecution,
  buildProject,
  buildPullRequest,
  buildQueuedMessage,
  buildStoredMessage,
  buildSummary,
  buildTask,
  testId,
  testTime,
} from "@skein/testkit";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { createTestDatabases, runOnServer, testServerUrl } from "../postgres/__fixtures__/test-databases.ts";
import { openPostgresStorage } from "../postgres/open-postgres-storage.ts";
import { openSqliteStorage } from "../sqlite/open-sqlite-storage.ts";
import { moveFromPostgres, moveToPostgres, TargetNotEmptyError } from "./move-database.ts";

const attempt = buildAttempt();
const execution = buildExecution();
const ofExecution = { attemptId: attempt.id, executionId: execution.id };

const check: CheckRun = {
  ...{ id: testId("chk", 1), executionId: execution.id, requestedAt: testTime, startedAt: testTime, endedAt: testTime, state: "passed" },
  ...{ tree: "a".repeat(40), treeAfter: null, exitCode: 0, output: "灯\0" },
};

/** Rows in every table, and values that are hard to copy: U+0000, Chinese, references to later rows, numbers of deleted rows. */
async function fill(storage: Storage): Promise<void> {
  const project = buildProject({ name: "a\0b", systemPrompt: "灯塔", runChecks: true, workersFetch: true });
  const task = buildTask({ position: 1.5, tags: ["x"] });
  await storage.transaction(async (tx) => {
    await tx.putInstance({ epoch: "e", home: "/home" });
    await tx.insertHost({
      ...{ id: testId("hst", 1), kind: "worker", name: "灯", tags: ["linux"], capacity: 2, version: "1", agents: [], state: "active" },
      ...{ tokenHash: "hash", expiresAt: null, lastSeenAt: testTime, connectedNodeId: null, createdAt: testTime },
    });
    await tx.insertProject(project);
    await tx.insertTask(task);
    await tx.insertAttempt(attempt);
    // its id comes before that of the attempt that it continues
    await tx.insertAttempt(
      buildAttempt({ id: "att_0000" as never, number: 2, continuedFrom: attempt.id, raceId: testId("rac", 1), archived: true, check }),
    );
    await tx.putImportedSession({
      ...{ source: "codex", sessionId: "s" as never, attemptId: attempt.id, generation: 0, fingerprint: "f", position: 3 },
      ...{ turnKey: "t", turns: 1, importedAt: testTime },
    });
    await tx.insertJob({
      ...{ id: testId("job", 1), name: "x", key: "灯", data: { a: 1 }, state: "waiting", runAt: testTime, tries: 0, maxTries: 1 },
      ...{ backoffMs: 0, createdAt: testTime, startedAt: null, endedAt: null, error: null, nodeId: null },
    });
    const automation = { id: testId("sch"), kind: "schedule" as const, projectId: project.id, name: "灯", definition: { a: 1 } };
    await tx.putAutomation({ ...automation, createdAt: testTime, updatedAt: testTime });
    const run = { automationId: automation.id, key: "1", state: "done" as const, at: testTime, endedAt: testTime, taskId: task.id };
    await tx.putAutomationRun({ ...run, detail: { b: 2 } });
    await tx.putJobSchedule({
      ...{ name: "x", key: "", data: null, cron: "0 0 * * *", timeZone: "UTC", missed: "once", nextRunAt: testTime },
      ...{ lastRunAt: null, missedRuns: 0, lastMissedAt: null },
    });
    await tx.insertExecution(execution);
    await tx.putMessages(Array.from({ length: 250 }, (_, index) => buildStoredMessage({ id: testId("msg", index), position: index })));
    await tx.setIngestPosition({
      executionId: execution.id,
      offset: 9,
      ingestState: {},
      entries: [
        ["z", 1],
        ["a", 2],
      ],
    });
    await tx.insertApproval(buildApproval());
    await tx.setExecutionWait({ id: execution.id, wait: { for: "server", since: testTime, name: "灯" }, at: testTime });
    await tx.setSpending({ executionId: execution.id, openCalls: { call: { costUsd: 1, tokens: 2 } } });
    const allowed = { costUsd: 1, unlimited: ["tokens" as const] };
    await tx.putBudget({ scope: "task", subject: task.id, projectId: project.id, taskId: task.id, own: { costUsd: 5 }, allowed });
    await tx.saveCompression({ attemptId: attempt.id, summary: buildSummary(), pruning: null, expectedSummaryId: null, at: testTime });
    await tx.recordCommand({ id: "c", result: { queued: true } as never, at: testTime });
    const agentStart = { parentExecution: null, parentAttempt: null, root: "tok_1", depth: 1, createdAt: testTime };
    await tx.insertAgentStart({ ...agentStart, subject: "que_1", attemptId: attempt.id, tokenId: testId("tok", 1) });
    await tx.insertQueuedMessage(buildQueuedMessage());
    await tx.setQueuePause({ attemptId: attempt.id, pause: { reason: "failed", pausedAt: testTime } });
    await tx.insertInboxItem({ execution: buildEndedExecution(), at: testTime });
    await tx.insertGrant({ id: testId("rul", 1), projectId: project.id, grant: { type: "tool", tool: "bash" }, createdAt: testTime });
    const landing = { method: "squash", branch: "main", commit: "c", previous: "p", head: "h", landedAt: testTime } as const;
    await tx.putLanding({ attemptId: attempt.id, landing });
    await tx.putPullRequest(buildPullRequest({ inbox: { addedAt: testTime, clearedAt: testTime + 1 } }));
    await tx.putComment({
      ...{ id: testId("cmt", 1), taskId: task.id, attemptId: attempt.id, path: "a", side: "new", startLine: 1, endLine: 2 },
      ...{ quote: "q", body: "b\0", state: "draft", executionId: null, createdAt: testTime, updatedAt: testTime },
    });
    await tx.putViewedFile({ attemptId: attempt.id, path: "a", contentId: "b" });
    const messages = [
      buildConversationMessage({ id: "one", content: "请修复灯塔的灯光问题" }),
      buildConversationMessage({ id: "two", content: "Call getUserById(1)\0" }),
    ];
    await tx.addConversationMessages({ ...ofExecution, taskId: task.id, messages, at: testTime });
    await tx.appendEvent({ type: "project:updated", projectId: project.id, project }, testTime);
  });
  await fillTeam(storage);
  // deleted, but its messages are not yet purged
  await storage.transaction(async (tx) => {
    await tx.insertTask(buildTask({ id: testId("tsk", 2) }));
    await tx.insertAttempt(buildAttempt({ id: testId("att", 3), taskId: testId("tsk", 2) }));
    await tx.insertExecution(buildExecution({ id: testId("exe", 2), taskId: testId("tsk", 2), attemptId: testId("att", 3) }));
    await tx.putMessages([buildStoredMessage({ id: testId("msg", 999), attemptId: testId("att", 3), executionId: testId("exe", 2) })]);
  });
  await storage.transaction((tx) => tx.deleteTask({ id: testId("tsk", 2) }));
}

async function fillTeam(storage: Storage): Promise<void> {
  const [id, projectId] = [testId("usr", 1), testId("prj", 1)];
  const times = { createdAt: 1, expiresAt: 2 };
  await storage.transaction(async (tx) => {
    await tx.putUser({ id, email: "a@b.c", name: "灯", isAdmin: true, passwordHash: "p", createdAt: 1, updatedAt: 1, deactivatedAt: null });
    await tx.putUserIdentity({ issuer: "i", subject: "s", userId: id, at: 1 });
    await tx.setMember({ projectId, userId: id, role: "owner", at: 1 });
    const invitation = { id: testId("inv", 1), email: null, isAdmin: false, projects: [], usedBy: null, ...times };
    await tx.insertInvitation({ ...invitation, codeHash: "h" });
    const session = { id: testId("ses", 1), userId: id, address: "a", userAgent: "u", lastUsedAt: 1, ...times };
    await tx.insertUserSession({ ...session, cookieHash: "c", secretHash: "s" });
    const token = { id: testId("tok", 1), userId: id, name: "n", scope: "read", projectIds: null, lastUsedAt: null, ...times } as const;
    await tx.insertApiToken({ ...token, executionId: null, limits: { depth: 1, starts: 2, costUsd: 0.5 }, tokenHash: "t" });
    await tx.insertOneTimeCode({ codeHash: "o", data: "d", expiresAt: 2 });
    await tx.putSignInLimit({ subject: "s", failures: 1, blockedUntil: 1, updatedAt: 1 });
    await tx.putSealedKey({ owner: id, name: "openai", sealed: "v1", updatedAt: 1 });
    const entry = { caller: "user", by: { id, name: "灯" }, action: "x", outcome: "done", subjects: [], address: "a", at: 1 } as const;
    await tx.appendAuditEntry({ ...entry, subjects: [] });
    await tx.appendEvent({ type: "access:changed", userId: id }, 1);
  });
}

async function readAll(storage: Storage) {
  const { read } = storage;
  const search = async (text: string) => (await read.search({ text, limit: 9 })).map(({ messageId }) => messageId);
  return {
    instance: await read.findInstance(),
    projects: await read.listProjects(),
    tasks: await read.listTasks(),
    attempts: await read.listAttempts({ taskId: attempt.taskId }),
    messages: await read.listMessages({ attemptId: attempt.id }),
    position: await read.getIngestPosition({ executionId: execution.id }),
    conversation: await read.listConversationMessages({ attemptId: attempt.id, limit: 99 }),
    approvals: await read.listApprovals({}),
    compression: await read.getCompression({ attemptId: attempt.id }),
    events: await read.listEvents({ after: 0, limit: 99 }),
    users: await read.listUsers(),
    audit: await read.listAuditEntries({ limit: 9 }),
    hosts: await read.listHosts(),
    found: [await search("灯塔"), await search("UserById"), await search("nothing")],
  };
}

async function listEmptyTables(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1");
    const empty: string[] = [];
    for (const { name } of rows) if ((await client.query(`SELECT 1 FROM ${name} LIMIT 1`)).rowCount === 0) empty.push(name);
    return empty;
  } finally {
    await client.end();
  }
}

async function inspect<T>(opening: Promise<Storage>, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await opening;
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

describe.skipIf(testServerUrl === undefined)("moving a database", () => {
  const databases = createTestDatabases();
  const folder = mkdtempSync(join(tmpdir(), "skein-move-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("[W1] to Postgres and back keeps every row, the search and the numbers of events", async () => {
    const file = join(folder, "skein.db");
    const original = await inspect(openSqliteStorage({ file }), async (storage) => {
      await fill(storage);
      return readAll(storage);
    });
    expect(original.found).toEqual([["one"], ["two"], []]);
    const url = await databases.create();
    const moved = await moveToPostgres({ file, url });
    expect(moved.rows).toBeGreaterThan(260);
    expect(await listEmptyTables(url)).toEqual([
      "browser_sessions",
      "cluster",
      "deletions",
      "node_commits",
      "nodes",
      "search_backlog",
      "shared_settings",
    ]);
    const lastSeq = original.events.at(-1)?.seq ?? 0;
    await inspect(openPostgresStorage({ url }), async (storage) => {
      expect(await readAll(storage)).toEqual(original);
      const ended = await storage.transaction(async (tx) => {
        await tx.appendEvent({ type: "project:deleted", projectId: testId("prj", 7) }, testTime);
        return tx.endExecution(buildEndedExecution());
      });
      expect(ended).toBe(true);
      expect(await storage.read.getLastSeq()).toBeGreaterThan(lastSeq);
    });
    const changed = await inspect(openPostgresStorage({ url }), readAll);
    const back = join(folder, "back.db");
    expect(await moveFromPostgres({ url, file: back })).toMatchObject({ tables: moved.tables, rows: moved.rows + 1 });
    expect(existsSync(`${back}-wal`)).toBe(false);
    await inspect(openSqliteStorage({ file: back }), async (storage) => {
      expect(await readAll(storage)).toEqual(changed);
      await storage.transaction((tx) => tx.appendEvent({ type: "project:deleted", projectId: testId("prj", 8) }, testTime));
      expect(await storage.read.getLastSeq()).toBe((changed.events.at(-1)?.seq ?? 0) + 1);
    });
  });

  it("[W1] that is cut off leaves nothing behind, and can be repeated", async () => {
    const file = join(folder, "cut.db");
    await inspect(openSqliteStorage({ file }), fill);
    const url = await databases.create();
    const steps: string[] = [];
    await moveToPostgres({ file, url: await databases.create(), onRows: (step, table) => void steps.push(`${step} ${table}`) });
    for (const cutAt of [1, 5, Math.floor(steps.length / 2), steps.length - 1]) {
      let left = cutAt;
      const cut = moveToPostgres({
        file,
        url,
        onRows() {
          if (left-- === 0) throw new Error("cut off");
        },
      });
      await expect(cut).rejects.toThrow("cut off");
      await inspect(openPostgresStorage({ url }), async ({ read }) => expect(await read.listProjects()).toEqual([]));
    }
    expect(await moveToPostgres({ file, url })).toMatchObject({ wasThere: false });
    // the acknowledgement of the commit may have been lost
    expect(await moveToPostgres({ file, url })).toMatchObject({ wasThere: true });
  });

  it("[W1] notices a row that differs, and never writes into a database with other data", async () => {
    const file = join(folder, "differs.db");
    await inspect(openSqliteStorage({ file }), fill);
    const url = await databases.create();
    await moveToPostgres({ file, url });
    await runOnServer(url, "UPDATE messages SET tokens = 7 WHERE id = 'msg_0240'");
    const again = moveToPostgres({ file, url });
    await expect(again).rejects.toThrow("The row msg_0240 of messages differs in tokens.");
    await expect(again).rejects.toBeInstanceOf(TargetNotEmptyError);
  });

  it("[W1] from Postgres that is cut off leaves no file", async () => {
    const url = await databases.create();
    await inspect(openPostgresStorage({ url }), fill);
    const file = join(folder, "half.db");
    const cut = moveFromPostgres({
      url,
      file,
      onRows() {
        throw new Error("cut off");
      },
    });
    await expect(cut).rejects.toThrow("cut off");
    expect(existsSync(file)).toBe(false);
    expect(await moveFromPostgres({ url, file })).toMatchObject({ wasThere: false });
  });
});
