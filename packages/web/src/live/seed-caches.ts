import type { Overview, TaskOverview } from "@skein/contracts";
import type { QueryClient } from "@tanstack/react-query";
import { approvalsQuery, attemptsQuery, executionsQuery, inboxQuery, projectsQuery, taskQuery, tasksQuery } from "../api/queries.ts";
import { firstTasks } from "../api/stream-tasks.ts";

/** Fills the caches at the start, before any event. */
export function seedOverview(client: QueryClient, { projects, approvals, inbox, board, task }: Overview): void {
  client.setQueryData(projectsQuery.queryKey, projects);
  client.setQueryData(approvalsQuery.queryKey, approvals);
  client.setQueryData(inboxQuery.queryKey, inbox);
  if (board && firstTasks.areAll(board.tasks)) client.setQueryData(tasksQuery(board.projectId).queryKey, board.tasks);
  else if (board) {
    firstTasks.put(board);
    void client.prefetchQuery(tasksQuery(board.projectId));
  }
  if (task) seedTask(client, task);
}

/** Fills the caches of a task that is opened. What they already have stays: events keep it current. */
export function seedTask(client: QueryClient, { task, attempts, executions, conversation }: TaskOverview): void {
  client.setQueryData(taskQuery(task.id).queryKey, (known) => known ?? task);
  client.setQueryData(attemptsQuery(task.id).queryKey, (known) => known ?? attempts);
  // no event adds one: the newer list counts
  if (conversation.attemptId !== null) client.setQueryData(executionsQuery(conversation.attemptId).queryKey, executions);
}
