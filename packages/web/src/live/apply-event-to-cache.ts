import type { Approval, Attempt, Project, SkeinEvent, Task } from "@skein/contracts";
import type { QueryClient } from "@tanstack/react-query";
import {
  approvalsQuery,
  attemptsQuery,
  diffQuery,
  executionsQuery,
  projectsQuery,
  runningQuery,
  taskQuery,
  tasksQuery,
} from "../api/queries.ts";

/** Folds an event into the caches that hold what it tells. A cache that was never filled stays empty: it loads when needed. */
export function applyEventToCache(client: QueryClient, event: SkeinEvent): void {
  switch (event.type) {
    case "project:created":
    case "project:updated":
      client.setQueryData(projectsQuery.queryKey, (projects) => upsert<Project>(projects, event.project));
      return;
    case "project:deleted":
      client.setQueryData(projectsQuery.queryKey, (projects) => without(projects, event.projectId));
      client.removeQueries({ queryKey: tasksQuery(event.projectId).queryKey });
      return;
    case "task:created":
    case "task:updated":
    case "task:status-changed":
      setTask(client, event.task);
      return;
    case "task:deleted":
      client.setQueryData(tasksQuery(event.projectId).queryKey, (tasks) => without(tasks, event.taskId));
      client.removeQueries({ queryKey: taskQuery(event.taskId).queryKey });
      client.setQueryData(approvalsQuery.queryKey, (approvals) => approvals?.filter((approval) => approval.taskId !== event.taskId));
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
      client.setQueryData(runningQuery(event.taskId).queryKey, true);
      return;
    case "execution:completed":
      client.setQueryData(runningQuery(event.taskId).queryKey, false);
      void client.invalidateQueries({ queryKey: diffQuery(event.attemptId).queryKey });
      void client.invalidateQueries({ queryKey: executionsQuery(event.attemptId).queryKey });
      return;
    case "approval:requested":
    case "approval:resolved":
      client.setQueryData(approvalsQuery.queryKey, (approvals) =>
        event.approval.status === "pending" ? upsert<Approval>(approvals, event.approval) : without(approvals, event.approval.id),
      );
      return;
    case "state:conversation-sync":
      // Sent when the gap was too large to replay: the other caches missed what was in it.
      void client.invalidateQueries();
      return;
    case "message:added":
    case "queue:changed":
      return;
    default:
      event satisfies never;
  }
}

/** An older copy never replaces a newer one: an optimistic answer and its event may come in either order. */
export function setTask(client: QueryClient, task: Task): void {
  client.setQueryData(taskQuery(task.id).queryKey, (known) => (known && known.updatedAt > task.updatedAt ? known : task));
  client.setQueryData(tasksQuery(task.projectId).queryKey, (tasks) => {
    const known = tasks?.find(({ id }) => id === task.id);
    return known && known.updatedAt > task.updatedAt ? tasks : upsert(tasks, task);
  });
}

function upsert<Item extends { id: string }>(items: Item[] | undefined, item: Item): Item[] | undefined {
  if (!items) return undefined;
  return items.some(({ id }) => id === item.id) ? items.map((known) => (known.id === item.id ? item : known)) : [...items, item];
}

function without<Item extends { id: string }>(items: Item[] | undefined, id: string): Item[] | undefined {
  return items?.filter((item) => item.id !== id);
}

/** One attempt of a task is active: when one becomes it, the others are not. */
function withActive(attempts: Attempt[] | undefined, changed: { id: string; active: boolean }): Attempt[] | undefined {
  if (!changed.active) return attempts;
  return attempts?.map((attempt) =>
    attempt.active === (attempt.id === changed.id) ? attempt : { ...attempt, active: attempt.id === changed.id },
  );
}
