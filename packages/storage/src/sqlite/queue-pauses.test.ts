import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attemptIdSchema } from "@skein/contracts";
import { expect, it, onTestFinished } from "vitest";
import { migrations } from "./migrations.ts";
import { openDatabase } from "./open-database.ts";
import { openSqliteStorage } from "./open-sqlite-storage.ts";

it("[E4] a queue of the previous release is not paused, can be, and is no longer when its attempt is gone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-queue-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "skein.db");
  const earlier = migrations.filter(({ version }) => version < 11);
  const database = openDatabase({ file, migrations: earlier, now: Date.now });
  database.exec(`
    INSERT INTO projects (id, name, path, created_at, updated_at) VALUES ('prj_1', 'p', '/p', 1, 1);
    INSERT INTO tasks (id, project_id, title, description, status, priority, tags, position, created_at, updated_at)
      VALUES ('tsk_1', 'prj_1', 't', '', 'todo', 'none', '[]', 1, 1, 1);
    INSERT INTO attempts (id, task_id, number, agent, permission_mode, isolation, directory, active, created_at, updated_at)
      VALUES ('att_1', 'tsk_1', 1, 'native', 'ask', 'in-place', '/', 1, 1, 1);
    INSERT INTO queued_messages VALUES ('que_1', 'tsk_1', 'att_1', 1, 'next', '[]', 0, 1);
  `);
  database.close();
  const storage = await openSqliteStorage({ file });
  onTestFinished(() => storage.close());
  const attemptId = attemptIdSchema.parse("att_1");
  expect(await storage.read.getQueue({ attemptId })).toMatchObject({ queue: [{ message: "next" }], queuePause: null });
  const pause = { reason: "stopped", pausedAt: 2 } as const;
  await storage.transaction((tx) => tx.setQueuePause({ attemptId, pause }));
  expect((await storage.read.getQueue({ attemptId })).queuePause).toEqual(pause);
  await storage.transaction((tx) => tx.deleteAttempt({ id: attemptId }));
  expect(await storage.read.getQueue({ attemptId })).toEqual({ queue: [], queuePause: null });
});
