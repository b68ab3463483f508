import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTaskSchema, listedTaskSchema, type Task, type TaskSummary } from "@skein/contracts";
import type { Storage } from "@skein/engine";
import { openSqliteStorage } from "@skein/storage";
import { buildAttempt, buildEndedExecution, buildExecution, buildProject, testId } from "@skein/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ServiceContext } from "./service-context.ts";
import type { TaskService } from "./task-services.ts";
import { createTaskService } from "./tasks.ts";

let folder = "";
let storage: Storage;
let tasks: TaskService;
const project = buildProject();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-tasks-"));
  storage = await openSqliteStorage({ file: join(folder, "skein.db") });
  await storage.transaction((tx) => tx.insertProject(project));
  // The rest of the context is for what runs; these change rows.
  const supervisor = { liveMessages: () => [] } as Partial<ServiceContext["supervisor"]>;
  tasks = createTaskService({ storage, now: Date.now, supervisor } as ServiceContext, async (_attempts, { deleteRows }) => {
    await deleteRows?.();
    return { keptBranches: [], cleanups: [] };
  });
});
afterEach(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const create = (title: string, description = ""): Promise<Task> =>
  tasks.create(createTaskSchema.parse({ projectId: project.id, title, description }));

describe("the list of tasks", () => {
  it("sends short activities on request: reading them gives the whole ones, but for the tokens", async () => {
    const [working, done, fresh] = [await create("Working"), await create("Done"), await create("Fresh")];
    const usage = { inputTokens: 900, outputTokens: 80, costUsd: 0.5 };
    await storage.transaction(async (tx) => {
      for (const [number, task] of [working, done].entries()) {
        const of = { taskId: task.id, attemptId: testId("att", number + 1) };
        await tx.insertAttempt(buildAttempt({ id: of.attemptId, taskId: task.id, number: 1 }));
        await tx.insertExecution(buildExecution({ id: testId("exe", number + 1), ...of }));
        if (task === done) await tx.endExecution(buildEndedExecution({ id: testId("exe", number + 1), ...of, usage }));
      }
    });
    const list = async (activity: "short" | "whole") => {
      let text = "";
      for await (const piece of tasks.list({ projectId: project.id, activity }).pieces) text += piece;
      return JSON.parse(text) as unknown[];
    };
    const [short, whole] = [await list("short"), listedTaskSchema.array().parse(await list("whole"))];
    expect(listedTaskSchema.array().parse(short)).toEqual(
      whole.map((task) =>
        task.id === done.id
          ? { ...task, activity: { ...task.activity, totals: { ...task.activity.totals, usage: { costUsd: 0.5 } } } }
          : task,
      ),
    );
    expect(whole.map(({ id, activity }) => [id, activity.executing])).toEqual([
      [working.id, true],
      [done.id, false],
      [fresh.id, false],
    ]);
    expect(short[1]).not.toHaveProperty("activity.open");
    expect(short[0]).toHaveProperty("activity.open");
  });

  it("[Q17] truncates long descriptions on request, and marks them", async () => {
    const long = `${"a".repeat(199)}😀${"b".repeat(5000)}`;
    for (const description of ["short", long]) await create("One", description);
    const list = async (descriptions?: "short") => {
      let text = "";
      for await (const piece of tasks.list({ projectId: project.id, ...(descriptions && { descriptions }) }).pieces) text += piece;
      return (JSON.parse(text) as TaskSummary[]).map(({ description, isShortened }) => [description, isShortened]);
    };
    expect(await list("short")).toEqual([
      ["short", undefined],
      ["a".repeat(199), true],
    ]);
    expect(await list()).toEqual([
      ["short", undefined],
      [long, undefined],
    ]);
  });
});

describe("bulk changes of tasks", () => {
  it("[E6] each one is reported, in one commit", async () => {
    const [one, two] = [await create("One"), await create("Two")];
    const batches: string[][] = [];
    storage.onCommitted((events) => batches.push(events.map(({ event }) => event.type)));
    const changed = await tasks.updateMany([
      { id: one.id, changes: { status: "done" } },
      { id: two.id, changes: { archived: true, tags: ["old"] } },
    ]);
    expect(changed).toMatchObject([{ status: "done" }, { archived: true, tags: ["old"] }]);
    expect(batches).toEqual([["task:status-changed", "task:updated"]]);
  });

  it("tasks moved into one column keep their order", async () => {
    const created = [await create("One"), await create("Two"), await create("Three")];
    await tasks.updateMany(created.map(({ id }) => ({ id, changes: { status: "in-review" } })));
    let text = "";
    for await (const piece of tasks.list({ projectId: project.id, status: "in-review" }).pieces) text += piece;
    const column = JSON.parse(text) as Task[];
    expect(column.map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
  });

  it("nothing changes when one of them is not there", async () => {
    const one = await create("One");
    const gone = await create("Gone");
    await tasks.remove(gone.id, { discard: false });
    const updates = [one, gone].map(({ id }) => ({ id, changes: { archived: true } }));
    await expect(tasks.updateMany(updates)).rejects.toMatchObject({ code: "task-not-found" });
    expect(await tasks.get(one.id)).toMatchObject(one);
  });
});
