import type { ProjectId, TaskStatus } from "@skein/contracts";
import type { TaskPageQuery } from "./api.ts";
import type { KnownTask } from "./task-activity.ts";

const statuses: readonly TaskStatus[] = ["todo", "in-progress", "in-review", "done", "cancelled"];

/** More than most projects have: one request is enough for them. As many as `GET /api/overview` returns. */
const firstPage = 200;
/** As many as a column draws at first. */
const firstOfColumn = 50;
const furtherPage = 1000;

let first: { projectId: ProjectId; tasks: KnownTask[] } | undefined;

/** The first tasks of a board that came with the page's first data. They are taken once. */
export const firstTasks = {
  areAll: (tasks: readonly KnownTask[]): boolean => tasks.length < firstPage,
  put(board: { projectId: ProjectId; tasks: KnownTask[] }): void {
    first = board;
  },
  take(projectId: ProjectId): KnownTask[] | undefined {
    if (first?.projectId !== projectId) return undefined;
    const { tasks } = first;
    first = undefined;
    return tasks;
  },
};

/**
 * The tasks of a project in parts. Of a project with many tasks the first part has the beginning of each column, which is what the
 * board draws; the rest follows page by page. A task may be in two parts.
 */
export async function* streamTasks(
  projectId: ProjectId,
  list: (page: TaskPageQuery) => Promise<KnownTask[]>,
): AsyncGenerator<KnownTask[], void> {
  const start = firstTasks.take(projectId) ?? (await list({ projectId, limit: firstPage }));
  if (firstTasks.areAll(start)) return yield start;
  const columns = await Promise.all(statuses.map((status) => list({ projectId, status, limit: firstOfColumn })));
  yield [...start, ...columns.flat()];
  for (let page = start; page.length > 0; ) {
    page = await list({ projectId, after: page.at(-1), limit: furtherPage });
    if (page.length > 0) yield page;
    if (page.length < furtherPage) return;
  }
}

/** What is known wins where it is newer: events may arrive while a part is being loaded. */
export function addTasks(known: readonly KnownTask[], part: readonly KnownTask[]): KnownTask[] {
  const byId = new Map(known.map((task) => [task.id, task]));
  for (const task of part) {
    const before = byId.get(task.id);
    byId.set(task.id, before === undefined ? task : takeNewer(before, task));
  }
  return [...byId.values()];
}

/** A task and its activity change separately. */
function takeNewer(known: KnownTask, loaded: KnownTask): KnownTask {
  const task = known.updatedAt < loaded.updatedAt ? loaded : known;
  const activity = (known.activity?.seq ?? -1) < (loaded.activity?.seq ?? -1) ? loaded.activity : known.activity;
  return activity === undefined || task.activity === activity ? task : { ...task, activity };
}
