import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectIdSchema, type SkeinEvent, taskIdSchema } from "@skein/contracts";
import type { Storage, StorageTransaction } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { buildProject, buildTask } from "@skein/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listMissed } from "./list-missed.ts";

let folder = "";
let storage: Storage;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-missed-"));
  storage = await openSqliteStorage({ file: join(folder, "skein.db") });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const project = buildProject();
const otherProject = buildProject({ id: projectIdSchema.parse("prj_other"), path: "/other" });
const taskOf = (number: number) => buildTask({ id: taskIdSchema.parse(`tsk_${String(number).padStart(4, "0")}`), projectId: project.id });

async function addTask(tx: StorageTransaction, number: number): Promise<void> {
  const task = taskOf(number);
  await tx.insertTask(task);
  await tx.appendEvent({ type: "task:created", taskId: task.id, task }, 1);
}

async function missed(after: number): Promise<string[]> {
  const reported: SkeinEvent[] = [];
  for await (const event of listMissed(storage.read, { after })) reported.push(event);
  return reported.map((event) => `${event.type} ${"taskId" in event ? event.taskId : event.projectId}`);
}

it("[E6] reports each change once: projects by their newest events, deleted tasks, and every task with something new", async () => {
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    await tx.appendEvent({ type: "project:created", projectId: project.id, project }, 1);
    for (const number of [1, 2, 3]) await addTask(tx, number);
  });
  const before = await storage.read.getLastSeq();
  await storage.transaction(async (tx) => {
    for (let i = 0; i < 3; i++) {
      await tx.appendEvent({ type: "task:updated", taskId: taskOf(1).id, task: taskOf(1) }, 2);
      await tx.appendEvent({ type: "project:updated", projectId: project.id, project }, 2);
    }
    await tx.insertProject(otherProject);
    await tx.appendEvent({ type: "project:created", projectId: otherProject.id, project: otherProject }, 2);
    await tx.deleteTask({ id: taskOf(3).id });
    await tx.appendEvent({ type: "task:deleted", taskId: taskOf(3).id, projectId: project.id }, 2);
  });
  expect(await missed(before)).toEqual([
    `project:updated ${project.id}`,
    `project:created ${otherProject.id}`,
    `task:deleted ${taskOf(3).id}`,
    `state:conversation-sync ${taskOf(1).id}`,
  ]);
  expect(await missed(await storage.read.getLastSeq())).toEqual([]);
});

it("[E6] is sent in pages, and other work runs in between", async () => {
  const count = 1200;
  await storage.transaction(async (tx) => {
    await tx.insertProject(project);
    for (let number = 0; number < count; number++) await addTask(tx, number);
  });
  let turns = 0;
  let done = false;
  const countTurns = () => {
    turns += 1;
    if (!done) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const reported = await missed(0);
  done = true;
  expect(reported).toEqual(Array.from({ length: count }, (_, number) => `state:conversation-sync ${taskOf(number).id}`));
  expect(turns).toBeGreaterThanOrEqual(3);
});
