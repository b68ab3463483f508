import type { Attempt, AttemptId, ProjectId, Task, TaskId } from "@skein/contracts";
import { queryOptions, skipToken } from "@tanstack/react-query";
import { api } from "./api.ts";
import { loadTasks } from "./load-tasks.ts";
import { streamTasks } from "./stream-tasks.ts";
import { type KnownTask, recentActivity } from "./task-activity.ts";
import { taskOverviews } from "./task-overviews.ts";

/*
 * What is cached, and under which key. Nothing polls: events keep these current (live/apply-event-to-cache.ts),
 * and after a connection that could not be resumed they are loaded again.
 */

export const projectsQuery = queryOptions({ queryKey: ["projects"], queryFn: ({ signal }) => api.listProjects(signal) });

export const tasksQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["tasks", projectId],
    queryFn: (context) =>
      loadTasks(
        context,
        streamTasks(projectId, async (page) => recentActivity.applyTo(await api.listTasks(page, context.signal))),
      ),
  });

export const archivedTasksQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["archived-tasks", projectId],
    queryFn: ({ signal }): Promise<KnownTask[]> => api.listArchivedTasks(projectId, signal),
  });

export const taskQuery = (taskId: TaskId) =>
  queryOptions({
    queryKey: ["task", taskId],
    queryFn: async ({ signal }): Promise<KnownTask> => (await taskOverviews.find(taskId))?.task ?? api.getTask(taskId, signal),
  });

export const attemptsQuery = (taskId: TaskId) =>
  queryOptions({
    queryKey: ["attempts", taskId],
    queryFn: async ({ signal }): Promise<Attempt[]> => (await taskOverviews.find(taskId))?.attempts ?? api.listAttempts(taskId, signal),
  });

export const agentsQuery = queryOptions({ queryKey: ["agents"], queryFn: ({ signal }) => api.listAgents(signal), staleTime: 60_000 });

export const approvalsQuery = queryOptions({ queryKey: ["approvals"], queryFn: ({ signal }) => api.listPendingApprovals(signal) });

export const inboxQuery = queryOptions({ queryKey: ["inbox"], queryFn: ({ signal }) => api.listInbox(signal) });

export const diffQuery = (attemptId: AttemptId) =>
  queryOptions({ queryKey: ["diff", attemptId], queryFn: ({ signal }) => api.getDiff(attemptId, signal) });

export const executionsQuery = (attemptId: AttemptId | null) =>
  queryOptions({
    queryKey: ["executions", attemptId],
    queryFn: attemptId === null ? skipToken : ({ signal }) => api.listExecutions(attemptId, signal),
  });

/** No events report changes of these two: they are loaded whenever they are shown. */
export const grantsQuery = (projectId: ProjectId) =>
  queryOptions({
    queryKey: ["permission-rules", projectId],
    queryFn: ({ signal }) => api.listGrants(projectId, signal),
    refetchOnMount: "always",
  });

export const mcpServersQuery = (projectId: ProjectId, attemptId?: AttemptId) =>
  queryOptions({
    queryKey: ["mcp-servers", projectId, attemptId ?? null],
    queryFn: ({ signal }) => api.listMcpServers(projectId, attemptId, signal),
    refetchOnMount: "always",
  });

export const byPosition = (a: Task, b: Task): number => a.position - b.position || a.createdAt - b.createdAt;
