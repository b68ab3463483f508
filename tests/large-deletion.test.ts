import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Attempt, SearchHit, StorageUse, Task } from "@skein/contracts";
import { attemptIdSchema, executionIdSchema } from "@skein/contracts";
import { buildConversationMessage, buildStoredMessage } from "@skein/testkit";
import { describe, expect, test } from "vitest";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";
import { isOnPostgres, openStorageOf, runSql } from "./support/server-database.ts";

const model = newScriptedModel([{ text: "Done." }]);
/** The machine may be busy. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 60_000 });
const messageCount = 3000;
const fileCount = 2000;

/** An attempt with many messages, put into the database while the server is not running, and many files in its worktree. */
async function startWithLargeAttempt(): Promise<{
  server: RealServer;
  repository: string;
  task: Task;
  attempt: Attempt;
  executionId: string;
}> {
  const server = await startRealServer();
  const repository = newRepository();
  const task = await server.api.createTask((await server.api.createProject(repository)).id);
  const attempt = await server.api.createAttempt(task.id, { model });
  const { executionId = "" } = await server.api.send(task.id, "go");
  await poll(async () => (await server.api.executions(attempt.id))[0]?.status).toBe("success");
  await server.kill();
  const storage = await openStorageOf(server);
  const ids = { attemptId: attemptIdSchema.parse(attempt.id), executionId: executionIdSchema.parse(executionId) };
  const numbers = Array.from({ length: messageCount }, (_, index) => index + 10);
  await storage.transaction(async (tx) => {
    const messages = numbers.map((number) => buildConversationMessage({ id: `many_${number}`, content: `pomegranate ${number}` }));
    await tx.putConversationMessages({ ...ids, messages });
    await tx.putMessages(numbers.map((number) => buildStoredMessage({ ...ids, id: `msg_many${number}` as never, position: number })));
    for (const message of messages)
      await tx.appendEvent({ type: "message:added", taskId: task.id as never, attemptId: ids.attemptId, message }, 1);
  });
  await storage.close();
  for (let folder = 0; folder < 20; folder++) {
    mkdirSync(join(attempt.directory, `many-${folder}/deep`), { recursive: true });
    for (let file = 0; file < fileCount / 20; file++) writeFileSync(join(attempt.directory, `many-${folder}/deep/${file}`), "x");
  }
  await server.start();
  return { server, repository, task, attempt, executionId };
}

const listTrash = (home: string): string[] =>
  existsSync(join(home, "worktrees/.trash")) ? readdirSync(join(home, "worktrees/.trash")) : [];

async function countRows(server: RealServer, attemptId: string): Promise<number[]> {
  const count = async (rows: string) => Number((await runSql(server, `SELECT count(*) AS count FROM ${rows}`))[0]?.count);
  return [
    await count(`messages WHERE attempt_id = '${attemptId}'`),
    await count(`conversation_messages WHERE attempt_id = '${attemptId}'`),
    await count(`events WHERE attempt_id = '${attemptId}'`),
    await count(`deletions WHERE id <> '${attemptId}'`),
  ];
}

async function expectHidden({ api }: RealServer, attemptId: string): Promise<void> {
  expect((await api.request<{ hits: SearchHit[] }>("GET", "/api/search?q=pomegranate")).hits).toEqual([]);
  await expect(api.request("GET", `/api/attempts/${attemptId}`)).rejects.toMatchObject({ status: 404 });
}

describe("large deletions", () => {
  test("[Q15, Q5] killed at any moment: deleted data never appears again, and the next servers remove all of it", {
    timeout: 120_000,
  }, async () => {
    const { server, repository, task, attempt, executionId } = await startWithLargeAttempt();
    await server.api.request("DELETE", `/api/attempts/${attempt.id}?discard=true`);
    expect(existsSync(attempt.directory)).toBe(false);
    expect(git(repository, "worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
    const before = (await countRows(server, attempt.id))[1] ?? 0;
    expect(before, "the response did not wait for all of it").toBeGreaterThan(0);
    for (let kill = 0; kill < 3; kill++) {
      await wait(Math.random() * 100);
      await server.kill();
      await server.start();
      await expectHidden(server, attempt.id);
    }
    await poll(() => countRows(server, attempt.id)).toEqual([0, 0, 0, 0]);
    await poll(() => [listTrash(server.home), existsSync(join(server.home, "executions", executionId))]).toEqual([[], false]);
    await expectHidden(server, attempt.id);
    expect(await server.api.request("GET", `/api/tasks/${task.id}`)).toMatchObject({ activity: { attemptId: null } });
    if (!isOnPostgres) expect(await runSql(server, "PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });

  test("[Q15] other requests are answered meanwhile, and the storage settings show what is left", { timeout: 120_000 }, async () => {
    const { server, attempt, task } = await startWithLargeAttempt();
    await server.api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
    const { deleting } = await server.api.request<StorageUse>("GET", "/api/storage");
    expect(deleting.messages).toBeGreaterThan(0);
    await expectHidden(server, attempt.id);
    await poll(async () => (await server.api.request<StorageUse>("GET", "/api/storage")).deleting).toEqual({ messages: 0, worktrees: 0 });
    await poll(() => countRows(server, attempt.id)).toEqual([0, 0, 0, 0]);
  });

  test("[X12] only the contents of the trash are deleted: links are not followed, and a trash folder that is a link is left alone", {
    timeout: 120_000,
  }, async () => {
    const { api, home } = await startRealServer();
    const repository = newRepository();
    const project = await api.createProject(repository);
    const [one, two] = [await api.createTask(project.id), await api.createTask(project.id)];
    const first = await api.createAttempt(one.id, { model });
    const outside = newFolder("outside");
    mkdirSync(join(outside, "folder"));
    writeFileSync(join(outside, "folder/mine.txt"), "mine");
    symlinkSync(outside, join(first.directory, "link"));
    mkdirSync(join(first.directory, "read-only"));
    writeFileSync(join(first.directory, "read-only/file"), "x");
    chmodSync(join(first.directory, "read-only"), 0o555);
    await api.request("DELETE", `/api/attempts/${first.id}?discard=true`);
    await poll(() => listTrash(home)).toEqual([]);
    expect(readdirSync(join(outside, "folder"))).toEqual(["mine.txt"]);

    const second = await api.createAttempt(two.id, { model });
    renameSync(join(home, "worktrees/.trash"), join(home, "worktrees/.trash-before"));
    symlinkSync(outside, join(home, "worktrees/.trash"));
    await api.request("DELETE", `/api/attempts/${second.id}?discard=true`);
    expect(existsSync(second.directory)).toBe(false);
    expect(readdirSync(outside)).toEqual(["folder"]);
    expect(lstatSync(join(home, "worktrees/.trash")).isSymbolicLink()).toBe(true);
  });
});
