import type { ProjectId } from "@skein/contracts";
import { expect, test } from "vitest";
import type { TaskPageQuery } from "./api.ts";
import { addTasks, streamTasks } from "./stream-tasks.ts";
import type { KnownTask } from "./task-activity.ts";

const projectId = "prj_1" as ProjectId;
const toTask = (number: number): KnownTask =>
  ({
    id: `tsk_${number}`,
    position: number,
    createdAt: 1,
    updatedAt: 1,
    status: number % 2 === 0 ? "done" : "todo",
    activity: { seq: 1 },
  }) as KnownTask;

/** A server with so many tasks, the first half of them done. */
function serve(count: number) {
  const tasks = Array.from(
    { length: count },
    (_, number) => ({ ...toTask(number), status: number < count / 2 ? "done" : "todo" }) as KnownTask,
  );
  const asked: TaskPageQuery[] = [];
  const list = async (page: TaskPageQuery) => {
    asked.push(page);
    const { status, after, limit } = page;
    return tasks.filter((task) => (status ?? task.status) === task.status && task.position > (after?.position ?? -1)).slice(0, limit);
  };
  return { tasks, asked, list };
}

test.each([0, 1, 199, 200, 201, 1199, 1200, 1201, 5000])("all of %d tasks come, each at least once", async (count) => {
  const { tasks, list } = serve(count);
  let known: KnownTask[] = [];
  for await (const part of streamTasks(projectId, list)) known = addTasks(known, part);
  expect(known.toSorted((a, b) => a.position - b.position)).toEqual(tasks);
});

test("a project with few tasks costs one request", async () => {
  const { asked, list } = serve(150);
  for await (const part of streamTasks(projectId, list)) expect(part).toHaveLength(150);
  expect(asked).toHaveLength(1);
});

test("the first part of many has what each column draws, and is small", async () => {
  const { list } = serve(10_000);
  const { value: part } = await streamTasks(projectId, list).next();
  const first = part ?? [];
  for (const status of ["todo", "done"]) expect(first.filter((task) => task.status === status).length).toBeGreaterThanOrEqual(50);
  expect(first.length).toBeLessThan(500);
});

test("a part does not replace what an event has brought since", () => {
  const newer = { ...toTask(1), title: "Newer", updatedAt: 5 };
  expect(addTasks([newer], [toTask(1), toTask(2)])).toEqual([newer, toTask(2)]);
  expect(addTasks([toTask(1)], [newer])).toEqual([newer]);
  const { activity: _, ...moved } = newer;
  expect(addTasks([moved], [toTask(1)])).toEqual([newer]);
});
