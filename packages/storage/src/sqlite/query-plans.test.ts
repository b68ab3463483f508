import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { StorageReader, StorageTransaction } from "@skein/engine";
import { testId } from "@skein/testkit";
import { type CompiledQuery, Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import type { RepeatedQuery } from "../prepared-query.ts";
import { writeDeletions } from "../queries/deletions.ts";
import { toPartName } from "../search/full-text-index.ts";
import { migrations } from "./migrations.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { applyMigration } from "./open-database.ts";
import { sqliteFullTextIndex, toPartDefinition } from "./sqlite-full-text-index.ts";
import { sqliteSql } from "./sqlite-sql.ts";

let database: DatabaseSync;
let db: Kysely<Database>;
let reader: StorageReader;
let purgeDeleted: StorageTransaction["purgeDeleted"];
let queries: CompiledQuery[];

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  for (const migration of migrations) applyMigration(database, migration);
  database.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att_0001', 'tsk_0001', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
    INSERT INTO executions (id, task_id, attempt_id, number, status, started_at) VALUES ('exe_0001', 'tsk_0001', 'att_0001', 1, 'running', 1);
    INSERT INTO conversation_messages VALUES (1, 'att_0001', 'exe_0001', 'msg', 7, 1, 1, '{}', NULL);
    INSERT INTO deletions (kind, id, task_id) VALUES ('execution', 'exe_0002', 'tsk_0002'), ('attempt', 'att_0002', 'tsk_0002'), ('task', 'tsk_0002', 'tsk_0002');
    INSERT INTO messages VALUES ('msg_0001', 'att_0001', 'exe_0001', 1, '{"role":"user","content":"x"}', NULL, NULL, NULL, 1);
  `);
  queries = [];
  const dialect = createNodeSqliteDialect(database, { needsTransaction: false });
  const log = ({ query }: { query: CompiledQuery }) => void queries.push(query);
  db = new Kysely<Database>({ dialect, log });
  const context = { db: () => db, fullText: sqliteFullTextIndex, dialect: sqliteSql };
  reader = createReader(context);
  purgeDeleted = writeDeletions(context).purgeDeleted;
});
afterEach(() => database.close());

function explain({ sql, parameters: once, parameterLists }: CompiledQuery & Partial<RepeatedQuery>): string[] {
  const parameters = parameterLists?.[0] ?? once;
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SQLInputValue[]));
  return plan.map((step) => String(step.detail));
}

const attemptId = testId("att");
const reads: [string, (reader: StorageReader) => Promise<unknown>][] = [
  ["a page of a conversation", (from) => from.listConversationMessages({ attemptId, before: "msg", limit: 50 })],
  ["the messages of an attempt", (from) => from.listMessages({ attemptId })],
  ["a part of the messages of an attempt", (from) => from.listMessages({ attemptId, offset: 5, limit: 10 })],
  ["the next messages of an attempt", (from) => from.listNextMessages({ attemptId, after: testId("msg"), limit: 10, maxBytes: 9 })],
  ["the next messages of a conversation", (from) => from.listNextConversationMessages({ attemptId, after: "msg", limit: 10, maxBytes: 9 })],
  ["how many messages an attempt has", (from) => from.countMessages({ attemptId })],
  ["which messages an execution has", (from) => from.listMessagePlaces({ executionId: testId("exe") })],
  ["a message", (from) => from.findMessage({ id: testId("msg") })],
  ["running executions", (from) => from.listRunningExecutions()],
  ["the running execution of an attempt", (from) => from.listRunningExecutions({ attemptId })],
  ["pending approvals", (from) => from.listApprovals({ status: "pending" })],
  ["the approvals of an execution", (from) => from.listApprovals({ executionId: testId("exe") })],
  ["the inbox", (from) => from.listInboxItems()],
  ["an item of the inbox", (from) => from.findInboxItem({ id: testId("exe") })],
  ["a pull request of the inbox", (from) => from.findInboxItem({ id: attemptId })],
  ["the pull request of an attempt", (from) => from.findPullRequest({ attemptId })],
  ["pull requests to check", (from) => from.listWatchedPullRequests({ limit: 10 })],
  ["the queue", (from) => from.listQueuedMessages({ attemptId })],
  ["the active summary and pruning", (from) => from.getCompression({ attemptId })],
  ["a task with its active attempt", (from) => from.findTask({ id: testId("tsk") })],
  [
    "the next tasks of a project",
    (from) => from.listTasks({ projectId: testId("prj"), after: { position: 1, createdAt: 1, id: testId("tsk") }, limit: 10 }),
  ],
  ["tasks by the beginning of their id", (from) => from.findIds({ prefix: "tsk_0", limit: 10 })],
  ["attempts by the beginning of their id", (from) => from.findIds({ prefix: "att_0", limit: 10 })],
  ["the last task of a project", (from) => from.findLastTaskPosition({ projectId: testId("prj") })],
  ["which executions an attempt has", (from) => from.listExecutionIds({ attemptId })],
  ["whose executions are", (from) => from.listExecutionOwners({ behind: testId("exe"), limit: 10 })],
  ["events", (from) => from.listEvents({ after: 5, limit: 10 })],
  ["events of a task", (from) => from.listEvents({ after: 5, limit: 10, taskId: testId("tsk") })],
  ["tasks with events since", (from) => from.listChangedTasks({ after: 5, behind: testId("tsk"), limit: 10 })],
  ["events of projects since", (from) => from.listProjectEventNumbers({ after: 5 })],
  ["some events", (from) => from.findEvents({ numbers: [5, 6] })],
  ["what is happening in a task", (from) => from.listActivities({ taskIds: [testId("tsk")] })],
  ["the sums of a task's attempts", (from) => from.listAttemptTotals({ taskId: testId("tsk") })],
  ["how much is left of what was deleted", (from) => from.countDeletedMessages()],
  ["the last sequence number", (from) => from.getLastSeq()],
];

/** Scans that stay small however large the tables are: indexes of open rows, the queue, and lists passed as parameters. */
const small = [
  "events_of_project",
  "executions_one_running",
  "approvals_pending",
  "inbox_items_open",
  "pull_requests_to_check",
  "pull_requests_in_inbox",
  "conversation_messages_running",
  "queued_messages",
  "queue_pauses",
  "deletions",
  "json_each",
];

describe("frequent reads", () => {
  it.each(reads)("read %s by an index, not the whole table", async (_name, read) => {
    await read(reader);
    const steps = queries.flatMap(explain);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => step.startsWith("SCAN") && !small.some((index) => step.includes(index)))).toEqual([]);
  });

  it("the next messages of an attempt are sorted only where two have the same position", async () => {
    await reader.listNextMessages({ attemptId, after: testId("msg"), limit: 10, maxBytes: 9 });
    const steps = queries.flatMap(explain).filter((step) => step.includes("TEMP B-TREE"));
    expect(steps.filter((step) => !/LAST( | 1 )TERM OF ORDER BY/.test(step))).toEqual([]);
    expect(queries.length).toBeLessThanOrEqual(4);
  });

  it("messages before a part of an attempt are counted in the index, and not read", async () => {
    await reader.listMessages({ attemptId, offset: 1, limit: 10 });
    const walks = queries.filter(({ sql }) => /offset|count\(\*\)/.test(sql));
    expect(walks.length).toBeGreaterThan(1);
    for (const walk of walks) expect(explain(walk).join()).toContain("COVERING INDEX messages_in_order");
  });

  it("a page of a conversation is not sorted: it costs the same at any length", async () => {
    await reader.listConversationMessages({ attemptId, before: "msg", limit: 50 });
    expect(queries.flatMap(explain).filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    expect(queries).toHaveLength(2);
  });

  it("[Q15] what was deleted is removed by indexes, its words too", async () => {
    await sqliteFullTextIndex.put(db, [{ rowId: 1, text: "lamp" }]);
    database.exec("UPDATE search_backlog SET below = 2; INSERT INTO conversation_search (rowid, text) VALUES (1, 'lamp')");
    queries = [];
    database.exec("DELETE FROM executions; DELETE FROM attempts");
    database.exec("INSERT INTO deletions (kind, id, task_id) VALUES ('attempt', 'att_0001', 'tsk_0001')");
    while (await purgeDeleted({ limit: 100 }));
    expect(database.prepare("SELECT count(*) AS count FROM conversation_messages").get()).toEqual({ count: 0 });
    // the words were in a part of the index that has been dropped
    database.exec(toPartDefinition(toPartName(0)));
    const steps = queries.flatMap(explain);
    // in plans of a full-text index, `0:=` reads one row and `0:` all rows
    const isScan = (step: string) =>
      step.startsWith("SCAN") &&
      !/json_each|deletions|search_backlog|search_parts|conversation_search.* VIRTUAL TABLE INDEX 0:=$/.test(step);
    expect(steps.filter(isScan)).toEqual([]);
  });
});
