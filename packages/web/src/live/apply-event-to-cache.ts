import type { Approval, Attempt, Delivery, InboxItem, Project, SkeinEvent, Task, TaskId } from "@skein/contracts";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import {
  approvalsQuery,
  archivedTasksQuery,
  attemptsQuery,
  diffQuery,
  executionsQuery,
  inboxQuery,
  projectsQuery,
  taskQuery,
  tasksQuery,
} from "../api/queries.ts";
import { reviewQuery } from "../api/review-api.ts";
import { diffStatQuery } from "../api/shell-api.ts";
import { applyToKnownTask, changesActivity, type KnownTask } from "../api/task-activity.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { withHeldChanges } from "./held-changes.ts";

/** Folds events into the caches. However many tasks a gap names, what is out of date is loaded again once. */
export function applyEventsToCache(client: QueryClient, deliveries: readonly Delivery[]): void {
  for (const { event, seq } of deliveries) applyEventToCache(client, event, seq);
  if (deliveries.some(({ event }) => event.type === "state:conversation-sync")) void client.invalidateQueries();
}

/** Folds an event into the caches that it concerns. A cache that was never filled stays empty: it loads when needed. */
function applyEventToCache(client: QueryClient, event: SkeinEvent, seq?: number): void {
  const delivery = seq === undefined ? { event } : { seq, event };
  if ("taskId" in event && changesActivity(delivery)) applyToTask(client, event.taskId, delivery);
  switch (event.type) {
    case "project:created":
    case "project:updated":
      client.setQueryData(projectsQuery.queryKey, (projects) => upsert<Project>(projects, event.project));
      return;
    case "project:deleted":
      client.setQueryData(projectsQuery.queryKey, (projects) => without(projects, event.projectId));
      client.removeQueries({ queryKey: tasksQuery(event.projectId).queryKey });
      client.removeQueries({ queryKey: archivedTasksQuery(event.projectId).queryKey });
      // they contain a task but not its project
      void client.invalidateQueries({ queryKey: approvalsQuery.queryKey });
      void client.invalidateQueries({ queryKey: inboxQuery.queryKey });
      return;
    case "task:created":
      setTask(client, findKnown(client, event.task) ? event.task : toNewTask(event.task));
      return;
    case "task:updated":
    case "task:status-changed":
      setTask(client, event.task);
      return;
    case "task:deleted":
      for (const { queryKey } of [tasksQuery(event.projectId), archivedTasksQuery(event.projectId)])
        client.setQueryData<Task[]>(queryKey, (tasks) => without(tasks, event.taskId));
      client.removeQueries({ queryKey: taskQuery(event.taskId).queryKey });
      client.setQueryData(approvalsQuery.queryKey, (approvals) => approvals?.filter((approval) => approval.taskId !== event.taskId));
      client.setQueryData(inboxQuery.queryKey, (items) => items?.filter((item) => item.taskId !== event.taskId));
      return;
    case "task:attempt-created":
      client.setQueryData(attemptsQuery(event.taskId).queryKey, (attempts) =>
        withActive(upsert<Attempt>(attempts, event.attempt), event.attempt),
      );
      return;
    case "task:attempt-updated":
      client.setQueryData(attemptsQuery(event.taskId).queryKey, (attempts) => {
        const changed = attempts?.map((attempt) =>
          attempt.id === event.attemptId ? ({ ...attempt, ...event.updates } as Attempt) : attempt,
        );
        return withActive(changed, { id: event.attemptId, active: event.updates.active === true });
      });
      return;
    case "execution:started":
      void client.invalidateQueries({ queryKey: ["git", event.attemptId] });
      return;
    case "execution:changed":
      void client.invalidateQueries({ queryKey: ["waiting-executions"] });
      void client.invalidateQueries({ queryKey: ["held-executions"] });
      return;
    case "execution:completed":
      void client.invalidateQueries({ queryKey: ["held-executions"] });
      void client.invalidateQueries({ queryKey: diffQuery(event.attemptId).queryKey });
      void client.invalidateQueries({ queryKey: diffStatQuery(event.attemptId).queryKey });
      void client.invalidateQueries({ queryKey: executionsQuery(event.attemptId).queryKey });
      // What each has cost and how it ended comes with the list.
      void client.invalidateQueries({ queryKey: attemptsQuery(event.taskId).queryKey });
      void client.invalidateQueries({ queryKey: ["worktree", event.attemptId] });
      void client.invalidateQueries({ queryKey: ["git", event.attemptId] });
      return;
    case "approval:requested":
    case "approval:resolved":
      client.setQueryData(approvalsQuery.queryKey, (approvals) =>
        event.approval.status === "pending" ? upsert<Approval>(approvals, event.approval) : without(approvals, event.approval.id),
      );
      reloadIfLoading(client, approvalsQuery.queryKey);
      return;
    case "inbox:changed":
      client.setQueryData(inboxQuery.queryKey, (items) =>
        event.item.clearedAt === null ? upsert<InboxItem>(items, event.item) : without(items, event.item.id),
      );
      reloadIfLoading(client, inboxQuery.queryKey);
      return;
    case "review:changed":
      void client.invalidateQueries({ queryKey: reviewQuery(event.attemptId).queryKey });
      return;
    case "git:changed":
      void client.invalidateQueries({ queryKey: ["git", event.attemptId] });
      void client.invalidateQueries({ queryKey: diffQuery(event.attemptId).queryKey });
      void client.invalidateQueries({ queryKey: diffStatQuery(event.attemptId).queryKey });
      void client.invalidateQueries({ queryKey: ["worktree", event.attemptId] });
      return;
    // The user may see other projects than before.
    case "access:changed":
      void client.invalidateQueries();
      return;
    // Sent when a gap was too large to replay: every cache may have missed something, see above.
    case "state:conversation-sync":
    case "message:added":
    case "pull-request:changed":
    case "queue:changed":
      return;
    default:
      event satisfies never;
  }
}

/** An older copy never replaces a newer one: an answer and its event may arrive in either order. */
export function setTask(client: QueryClient, received: KnownTask): void {
  const task = withHeldChanges(received);
  client.setQueryData(taskQuery(task.id).queryKey, (known) =>
    known && known.updatedAt > task.updatedAt ? known : withDescription(withActivity(task, known), known),
  );
  const activity = findKnown(client, task)?.activity;
  const lists = [
    { query: tasksQuery(task.projectId), belongs: !task.archived },
    { query: archivedTasksQuery(task.projectId), belongs: task.archived },
  ];
  for (const { query, belongs } of lists) {
    client.setQueryData<KnownTask[]>(query.queryKey, (tasks) => {
      const known = tasks?.find(({ id }) => id === task.id);
      if (known && known.updatedAt > task.updatedAt) return tasks;
      return belongs ? upsert<KnownTask>(tasks, activity ? { activity, ...task } : task) : known ? without(tasks, task.id) : tasks;
    });
  }
}

/** Events and answers to changes carry no activity: the one that is known stays. */
function withActivity(task: KnownTask, known: KnownTask | undefined): KnownTask {
  return known?.activity ? { activity: known.activity, ...task } : task;
}

/** A task of a list may have only the beginning of its description. A page that showed it would save it as the whole. */
function withDescription({ isShortened, ...task }: KnownTask, known: KnownTask | undefined): KnownTask | undefined {
  if (!isShortened) return task;
  return known && { ...task, description: known.description };
}

function findKnown(client: QueryClient, { id, projectId }: Task): KnownTask | undefined {
  const lists = [tasksQuery(projectId), archivedTasksQuery(projectId)].map(({ queryKey }) => client.getQueryData<KnownTask[]>(queryKey));
  const listed = lists.flatMap((tasks) => tasks ?? []).find((task) => task.id === id);
  return listed ?? client.getQueryData<KnownTask>(taskQuery(id).queryKey);
}

/** A task that some loaded list has whole. Events keep the lists current, so it is as it is now. */
export function findListedTask(client: QueryClient, taskId: TaskId): KnownTask | undefined {
  const lists = client.getQueriesData<KnownTask[]>({ predicate: ({ queryKey: [name] }) => isTaskList(name) });
  return lists.flatMap(([, tasks]) => tasks ?? []).find(({ id, isShortened }) => id === taskId && !isShortened);
}

/** In every list: the event does not contain the project. */
function applyToTask(client: QueryClient, taskId: TaskId, delivery: Delivery): void {
  for (const [queryKey, tasks] of client.getQueriesData<KnownTask[]>({ predicate: ({ queryKey: [name] }) => isTaskList(name) })) {
    const before = tasks?.find(({ id }) => id === taskId);
    const after = before && applyToKnownTask(before, delivery);
    if (before && !after) void client.invalidateQueries({ queryKey });
    else if (before && after && before !== after) client.setQueryData<KnownTask[]>(queryKey, upsert(tasks, after));
  }
  client.setQueryData(taskQuery(taskId).queryKey, (known) => known && (applyToKnownTask(known, delivery) ?? known));
}

/** A list that is being loaded may have been read before the event: a question that is in neither would not be seen. */
function reloadIfLoading(client: QueryClient, queryKey: QueryKey): void {
  const query = { queryKey, exact: true };
  // a first request is cancelled before: it would be waited for, not repeated
  if (client.isFetching(query) > 0) void client.cancelQueries(query).then(() => client.invalidateQueries(query));
}

const isTaskList = (name: unknown): boolean => name === "tasks" || name === "archived-tasks";

function upsert<Item extends { id: string }>(items: Item[] | undefined, item: Item): Item[] | undefined {
  if (!items) return undefined;
  return items.some(({ id }) => id === item.id) ? items.map((known) => (known.id === item.id ? item : known)) : [...items, item];
}

function without<Item extends { id: string }>(items: Item[] | undefined, id: string): Item[] | undefined {
  return items?.filter((item) => item.id !== id);
}

/** One attempt of a task is active: activating one deactivates the others. */
function withActive(attempts: Attempt[] | undefined, changed: { id: string; active: boolean }): Attempt[] | undefined {
  if (!changed.active) return attempts;
  return attempts?.map((attempt) =>
    attempt.active === (attempt.id === changed.id) ? attempt : { ...attempt, active: attempt.id === changed.id },
  );
}
