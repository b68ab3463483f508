import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { StorageReader } from "@skein/engine";
import { testId } from "@skein/testkit";
import { type CompiledQuery, Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createReader } from "../create-reader.ts";
import type { Database } from "../database.ts";
import { migrations } from "./migrations.ts";
import { createNodeSqliteDialect } from "./node-sqlite-dialect.ts";
import { sqliteFullTextIndex } from "./sqlite-full-text-index.ts";

let database: DatabaseSync;
let reader: StorageReader;
let queries: CompiledQuery[];

beforeEach(() => {
  database = new DatabaseSync(":memory:");
  for (const { sql } of migrations) database.exec(sql);
  database.exec("PRAGMA foreign_keys = OFF; INSERT INTO conversation_messages VALUES (1, 'att_0001', 'exe', 'msg', 7, 1, 1, '{}', NULL)");
  queries = [];
  const dialect = createNodeSqliteDialect(database, { needsTransaction: false });
  const log = ({ query }: { query: CompiledQuery }) => void queries.push(query);
  const db = new Kysely<Database>({ dialect, log });
  reader = createReader({ db: () => db, fullText: sqliteFullTextIndex });
});
afterEach(() => database.close());

function explain({ sql, parameters }: CompiledQuery): string[] {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(parameters as SQLInputValue[]));
  return plan.map((step) => String(step.detail));
}

const attemptId = testId("att");
const reads: [string, (reader: StorageReader) => Promise<unknown>][] = [
  ["a page of a conversation", (from) => from.listConversationMessages({ attemptId, before: "msg", limit: 50 })],
  ["the messages of an attempt", (from) => from.listMessages({ attemptId })],
  ["a part of the messages of an attempt", (from) => from.listMessages({ attemptId, offset: 5, limit: 10 })],
  ["how many messages an attempt has", (from) => from.countMessages({ attemptId })],
  ["which messages an execution has", (from) => from.listMessagePlaces({ executionId: testId("exe") })],
  ["a message", (from) => from.findMessage({ id: testId("msg") })],
  ["running executions", (from) => from.listRunningExecutions()],
  ["the running execution of an attempt", (from) => from.listRunningExecutions({ attemptId })],
  ["pending approvals", (from) => from.listApprovals({ status: "pending" })],
  ["the approvals of an execution", (from) => from.listApprovals({ executionId: testId("exe") })],
  ["the queue", (from) => from.listQueuedMessages({ attemptId })],
  ["the active summary", (from) => from.findActiveSummary({ attemptId })],
  ["a task with its active attempt", (from) => from.findTask({ id: testId("tsk") })],
  ["the last task of a project", (from) => from.findLastTaskPosition({ projectId: testId("prj") })],
  ["whose executions are", (from) => from.listExecutionOwners({ behind: testId("exe"), limit: 10 })],
  ["events", (from) => from.listEvents({ after: 5, limit: 10 })],
  ["events of a task", (from) => from.listEvents({ after: 5, limit: 10, taskId: testId("tsk") })],
  ["tasks with events since", (from) => from.listChangedTasks({ after: 5, behind: testId("tsk"), limit: 10 })],
  ["events of projects since", (from) => from.listProjectEventNumbers({ after: 5 })],
  ["some events", (from) => from.findEvents({ numbers: [5, 6] })],
  ["what goes on in a task", (from) => from.listActivities({ taskId: testId("tsk") })],
  ["the sums of a task's attempts", (from) => from.listAttemptTotals({ taskId: testId("tsk") })],
  ["the last sequence number", (from) => from.getLastSeq()],
];

/** Indexes of what is open: little, however large the tables are. The queue is little itself. */
const small = ["events_of_project", "executions_one_running", "approvals_pending", "conversation_messages_running", "queued_messages"];

describe("reads that happen all the time", () => {
  it.each(reads)("read %s by an index, not the whole table", async (_name, read) => {
    await read(reader);
    const steps = queries.flatMap(explain);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => step.startsWith("SCAN") && !small.some((index) => step.includes(index)))).toEqual([]);
  });

  it("a page of a conversation is not sorted: it costs the same at any length", async () => {
    await reader.listConversationMessages({ attemptId, before: "msg", limit: 50 });
    expect(queries.flatMap(explain).filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
    expect(queries).toHaveLength(2);
  });
});
