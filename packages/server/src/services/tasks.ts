import { setImmediate } from "node:timers/promises";
import { createId, type ListedTask, type Task, type TaskActivity, type TaskId, type TaskSummary, type UpdateTask } from "@skein/contracts";
import { ServiceError, type StorageReader, type StorageTransaction, takeStart } from "@skein/engine";
import { changeTaskStatus } from "../executions/change-task-status.ts";
import { clearInbox } from "../executions/inbox-items.ts";
import { behindAll } from "../executions/task-position.ts";
import { listActivities } from "./list-activities.ts";
import { getProject, getTask, missing } from "./lookup.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { RemoveAttempts } from "./remove-attempts.ts";
import type { ServiceContext } from "./service-context.ts";
import { StreamedJson, writeJsonArray } from "./streamed-json.ts";
import type { TaskService } from "./task-services.ts";

/** Lists, creates, changes and deletes tasks. */
export function createTaskService(context: ServiceContext, removeAttempts: RemoveAttempts): TaskService {
  const { storage, now } = context;
  return {
    list: (query) => new StreamedJson(writeJsonArray(readSnapshot(storage, (reader) => readListedTasks(reader, query, context)))),
    get: (id) => storage.snapshot((reader) => readTaskSummary(reader, id, context)),

    async create(input, by) {
      const at = now();
      return storage.transaction(async (tx) => {
        await getProject(tx, input.projectId);
        const made = input.id === undefined ? undefined : await tx.findTask({ id: input.id });
        if (made !== undefined) return assertSame(made, input);
        const task: Task = {
          ...input,
          id: input.id ?? createId("tsk", at),
          position: input.position ?? (await behindAll(tx, input.projectId)),
          archived: false,
          activeAttemptId: null,
          ...(by === undefined ? {} : { by }),
          createdAt: at,
          updatedAt: at,
        };
        await tx.insertTask(task);
        await tx.appendEvent({ type: "task:created", taskId: task.id, task }, at);
        return task;
      });
    },

    update: (id, changes) => storage.transaction((tx) => updateTask(tx, { id, changes, at: now() })),

    updateMany: (updates) =>
      storage.transaction(async (tx) => {
        const tasks: Task[] = [];
        // sequentially: two changes of the same column must see each other
        for (const { id, changes } of updates) tasks.push(await updateTask(tx, { id, changes, at: now() }));
        return tasks;
      }),

    async remove(id, options) {
      const task = await getTask(storage.read, id);
      const deleteRows = () =>
        storage.transaction(async (tx) => {
          await tx.deleteTask({ id });
          await tx.appendEvent({ type: "task:deleted", taskId: id, projectId: task.projectId }, now());
        });
      return removeAttempts(await storage.read.listAttempts({ taskId: id }), { ...options, deleteRows });
    },
  };
}

type ActivityContext = Pick<ServiceContext, "supervisor">;

/** Rows per read, which blocks the thread for a few milliseconds. Tasks of all projects have no common order in an index. */
const sliceSize = { ofProject: 100, ofAll: 500 };

type TaskQuery = Parameters<TaskService["list"]>[0];

/** Tasks as a list was asked for: with whole or short activities. */
export async function* readListedTasks(
  reader: StorageReader,
  { activity = "whole", ...query }: TaskQuery,
  context: ActivityContext,
): AsyncGenerator<ListedTask[], void> {
  for await (const slice of readTaskSlices(reader, query, context)) yield activity === "short" ? slice.map(withShortActivity) : slice;
}

/** Throws a `ServiceError` if the task does not exist. */
export async function readTaskSummary(reader: StorageReader, id: TaskId, context: ActivityContext): Promise<TaskSummary> {
  const task = await getTask(reader, id);
  return toSummary(task, await listActivities(reader, { taskIds: [id] }, context))[0] ?? missing("task", id);
}

/** Tasks in slices, with time for other work in between. */
async function* readTaskSlices(
  reader: StorageReader,
  { limit = Number.POSITIVE_INFINITY, after, descriptions = "whole", ...query }: Omit<TaskQuery, "activity">,
  context: ActivityContext,
): AsyncGenerator<TaskSummary[], void> {
  const size = query.projectId === undefined ? sliceSize.ofAll : sliceSize.ofProject;
  let place = after;
  for (let left = limit; left > 0; ) {
    const tasks = await reader.listTasks({ ...query, after: place, limit: Math.min(left, size) });
    if (tasks.length === 0) return;
    const activities = await listActivities(reader, { taskIds: tasks.map(({ id }) => id) }, context);
    const summaries = tasks.flatMap((task) => toSummary(task, activities));
    yield descriptions === "short" ? summaries.map(shorten) : summaries;
    left -= tasks.length;
    place = tasks.at(-1);
    await setImmediate();
  }
}

async function updateTask(tx: StorageTransaction, input: { id: TaskId; changes: UpdateTask; at: number }): Promise<Task> {
  const { id, at } = input;
  const { status, ...changes } = input.changes;
  const before = await getTask(tx, id);
  const moved = status !== undefined && status !== before.status;
  const position = changes.position ?? (moved ? await behindAll(tx, before.projectId) : before.position);
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const task: Task = { ...before, ...given, position, updatedAt: at };
  if (task.archived && !before.archived) await clearInbox(tx, { taskId: id }, at);
  if (moved) return changeTaskStatus(tx, { task, status, at });
  await tx.updateTask(task);
  await tx.appendEvent({ type: "task:updated", taskId: id, task }, at);
  return task;
}

/** More than a card shows, and enough to distinguish tasks. */
const shortDescription = 200;

function shorten(task: TaskSummary): TaskSummary {
  if (task.description.length <= shortDescription) return task;
  return { ...task, description: takeStart(task.description, shortDescription), isShortened: true };
}

/** The activity is half of what a list sends, and in most tasks nothing happens. */
function withShortActivity({ activity, ...task }: TaskSummary): ListedTask {
  const { executing, pendingApprovals, queued, queuePaused, open, pullRequests, totals, ...rest } = activity;
  const { costUsd } = totals.usage;
  const requests = pullRequests.length === 0 ? {} : { pullRequests };
  const short = { ...rest, ...requests, totals: { ...totals, usage: costUsd === undefined ? {} : { costUsd } } };
  // the other fields are derived from `open`
  if (open.length === 0) return { ...task, activity: short };
  return { ...task, activity: { ...short, executing, pendingApprovals, queued, queuePaused, open } };
}

function toSummary(task: Task, activities: ReadonlyMap<TaskId, TaskActivity>): TaskSummary[] {
  const activity = activities.get(task.id);
  return activity === undefined ? [] : [{ ...task, activity }];
}

/** Its status may have changed since. */
function assertSame(made: Task, { projectId, title, description }: Pick<Task, "projectId" | "title" | "description">): Task {
  if (made.projectId === projectId && made.title === title && made.description === description) return made;
  throw new ServiceError("conflict", { code: "request-id-reused" });
}
