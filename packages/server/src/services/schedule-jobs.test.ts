import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, createScheduleSchema, userIdSchema } from "@skein/contracts";
import type { StorageTransaction } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { buildProject, testId, testTime } from "@skein/testkit/builders";
import { expect, it, onTestFinished } from "vitest";
import { toAutomationRun } from "./automation-runs.ts";
import { createScheduleHandler, toTimeValues } from "./schedule-jobs.ts";
import { toScheduleRow } from "./stored-schedule.ts";

const project = buildProject();
const ada: Actor = { id: userIdSchema.parse("usr_ada"), name: "Ada" };

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "skein-schedules-"));
  const storage = await openSqliteStorage({ file: join(folder, "skein.db") });
  onTestFinished(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  const input = { projectId: project.id, name: "Nightly", cron: "0 9 * * *", timeZone: "UTC" };
  const action = { type: "task" as const, form: { prompt: "Look at it" } };
  const schedule = {
    ...createScheduleSchema.parse({ ...input, action }),
    id: testId("sch"),
    by: ada,
    createdAt: testTime,
    updatedAt: testTime,
  };
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.putAutomation(toScheduleRow(schedule));
  });
  const enqueued: unknown[] = [];
  const jobs = { enqueue: async (job: unknown) => testId("job", enqueued.push(job)) };
  const handler = createScheduleHandler({ jobs, now: () => testTime });
  let count = 0;
  const run = async () => {
    const complete = (work: (tx: StorageTransaction) => Promise<void>) => storage.transaction(work);
    const id = testId("job", ++count);
    await handler.run({ id, data: { scheduleId: schedule.id }, tries: 1, signal: new AbortController().signal, complete });
    const found = await storage.read.findAutomationRun({ automationId: schedule.id, key: id });
    return found && toAutomationRun(found);
  };
  return { storage, run, enqueued };
}

it("[L6] a schedule has the rights of who saved it last: without them its runs fail and say so, and nothing is started", async () => {
  const { storage, run, enqueued } = await open();
  const user = {
    id: userIdSchema.parse("usr_ada"),
    email: "ada@example.com",
    name: "Ada",
    isAdmin: false,
    createdAt: 1,
    updatedAt: 1,
    deactivatedAt: null,
  };
  const lost = { state: "failed", reason: { code: "automation-user-lost", name: "Ada" } };
  expect(await run()).toMatchObject(lost);
  await storage.transaction((tx) => tx.putUser({ ...user, passwordHash: null }));
  expect(await run()).toMatchObject(lost);
  await storage.transaction((tx) => tx.setMember({ userId: user.id, projectId: project.id, role: "viewer", at: 1 }));
  expect(await run()).toMatchObject(lost);
  expect(enqueued).toEqual([]);
  await storage.transaction((tx) => tx.setMember({ userId: user.id, projectId: project.id, role: "member", at: 1 }));
  expect(await run()).toMatchObject({ state: "open", reason: null });
  expect(enqueued).toMatchObject([{ name: "automation-run", data: { key: testId("job", 4) } }]);
  expect(await run()).toMatchObject({ state: "skipped", reason: { code: "previous-run-open" } });
});

it("[L6] date and time are those of the schedule's zone", () => {
  expect(Object.fromEntries(toTimeValues(Date.UTC(2026, 0, 1, 23, 5), "Asia/Tokyo"))).toEqual({ date: "2026-01-02", time: "08:05" });
});
