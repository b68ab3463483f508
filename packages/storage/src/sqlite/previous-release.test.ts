import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { approvalIdSchema, attemptIdSchema, executionIdSchema, taskIdSchema } from "@skein/contracts";
import { expect, it, onTestFinished } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

/** Schema version of the previous release. */
const releasedVersion = 10;
const [taskId, attemptId] = [taskIdSchema.parse("tsk_1"), attemptIdSchema.parse("att_1")];

it("[E4, E12, N3] a database of the previous release, with an agent at work, goes through all migrations and can do what is new", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-previous-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "skein.db");
  {
    using database = openDatabase({ file, migrations: migrations.filter(({ version }) => version <= releasedVersion), now: Date.now });
    database.exec(`
      INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
      INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
        VALUES ('tsk_1', 'prj_1', 't', '', 'in-progress', 'none', '[]', 1, 1, 1);
      INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
        VALUES ('att_1', 'tsk_1', 1, 'native', 'accept-edits', 'in-place', '/', 1, 1, 1);
      INSERT INTO executions (id, task_id, attempt_id, number, status, started_at, ended_at, duration_ms, reason, usage)
        VALUES ('exe_1', 'tsk_1', 'att_1', 1, 'failed', 1, 2, 1, 'No key.', '{}');
      INSERT INTO executions (id, task_id, attempt_id, number, status, started_at) VALUES ('exe_2', 'tsk_1', 'att_1', 2, 'running', 3);
      INSERT INTO approvals (id, task_id, attempt_id, execution_id, tool_use_id, tool_name, input, requested_at, status)
        VALUES ('apr_1', 'tsk_1', 'att_1', 'exe_2', 'toolu_1', 'ExitPlanMode', '{"plan":"Do it"}', 4, 'pending');
      INSERT INTO queued_messages VALUES ('que_1', 'tsk_1', 'att_1', 1, 'next', '[]', 1, 5);
    `);
  }
  const storage = await openSqliteStorage({ file });
  const { read } = storage;
  expect(await read.findAttempt({ id: attemptId })).toMatchObject({ permissionMode: "accept-edits", sessionId: null });
  expect(await read.listExecutions({ attemptId })).toMatchObject([
    { status: "failed", reason: "No key.", code: null },
    { status: "running" },
  ]);
  expect(await read.getQueue({ attemptId })).toMatchObject({ queue: [{ message: "next", steer: true }], queuePause: null });
  expect(await read.listInboxItems()).toEqual([]);

  const id = approvalIdSchema.parse("apr_1");
  const execution = {
    ...{ id: executionIdSchema.parse("exe_2"), taskId, attemptId, number: 2, startedAt: 3, status: "interrupted" as const },
    ...{ endedAt: 6, durationMs: 3, exitCode: null, reason: "Paused.", code: "step-limit" as const, usage: {} },
  };
  const plan = { mode: "ask" as const, text: "Do less" };
  await storage.transaction(async (tx) => {
    await tx.answerApproval({ id, decision: "allow", answerReason: null, answers: undefined, plan, resolvedAt: 5 });
    const attempt = await tx.findAttempt({ id: attemptId });
    if (attempt !== undefined) await tx.updateAttempt({ ...attempt, permissionMode: "plan", agentMode: "review" });
    await tx.endExecution(execution);
    await tx.setQueuePause({ attemptId, pause: { reason: "limit", pausedAt: 6 } });
    await tx.insertInboxItem({ execution, at: 6 });
  });
  expect(await read.listApprovals({ attemptId })).toMatchObject([{ status: "answered", plan }]);
  expect(await read.findAttempt({ id: attemptId })).toMatchObject({ permissionMode: "plan", agentMode: "review" });
  expect(await read.listInboxItems()).toMatchObject([{ execution: { code: "step-limit" } }]);
  await storage.transaction((tx) => tx.deleteAttempt({ id: attemptId }));
  expect([await read.listInboxItems(), await read.getQueue({ attemptId })]).toEqual([[], { queue: [], queuePause: null }]);
  await storage.close();

  using database = new DatabaseSync(file);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
});
