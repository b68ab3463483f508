import type { AttemptId, ExecutionId, Overview, ProjectId, TaskId, TaskOverview } from "@skein/contracts";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { api } from "../api/api.ts";
import { attemptsQuery, executionsQuery, projectsQuery, taskQuery, tasksQuery } from "../api/queries.ts";
import { seedOverview, seedTask } from "./seed-caches.ts";

const projectId = "prj_1" as ProjectId;
const taskId = "tsk_1" as TaskId;
const attemptId = "att_1" as AttemptId;

const toTask = (number: number) => ({ id: `tsk_${number}`, projectId, status: "todo", position: number, createdAt: 1, updatedAt: 1 });
const toOverview = (count: number) =>
  ({
    ...{ lastSeq: 1, projects: [{ id: projectId }], approvals: [], inbox: [], task: null },
    board: { projectId, tasks: Array.from({ length: count }, (_, number) => toTask(number)) },
  }) as unknown as Overview;
const opened = {
  task: toTask(1),
  attempts: [{ id: attemptId }],
  executions: [{ id: "exe_1" }],
  conversation: { attemptId, lastSeq: 5 },
} as unknown as TaskOverview;

afterEach(() => vi.restoreAllMocks());

test("the first data of a page answers its queries", async () => {
  const list = vi.spyOn(api, "listTasks");
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  seedOverview(client, { ...toOverview(3), task: opened });
  expect(await client.fetchQuery(projectsQuery)).toEqual([{ id: projectId }]);
  expect(await client.fetchQuery(tasksQuery(projectId))).toHaveLength(3);
  expect((await client.fetchQuery(taskQuery(taskId))).position).toBe(1);
  expect(await client.fetchQuery(executionsQuery(attemptId))).toEqual([{ id: "exe_1" }]);
  expect(list).not.toHaveBeenCalled();
});

test("of a large board, the first data is the first page, and the rest is loaded", async () => {
  const list = vi.spyOn(api, "listTasks").mockImplementation(async ({ after }) => (after === undefined ? [] : [toTask(500)]) as never);
  const client = new QueryClient();
  seedOverview(client, toOverview(200));
  await vi.waitUntil(() => client.isFetching() === 0);
  expect(client.getQueryData(tasksQuery(projectId).queryKey)).toHaveLength(201);
  expect(list.mock.calls.filter(([{ status, after }]) => status === undefined && after === undefined)).toEqual([]);
});

test("an opened task does not replace what events have kept current", () => {
  const client = new QueryClient();
  const known = [{ id: attemptId }, { id: "att_2" }] as never;
  client.setQueryData(attemptsQuery(taskId).queryKey, known);
  client.setQueryData(executionsQuery(attemptId).queryKey, [{ id: "exe_0" as ExecutionId }] as never);
  seedTask(client, opened);
  expect(client.getQueryData(attemptsQuery(taskId).queryKey)).toBe(known);
  expect(client.getQueryData(executionsQuery(attemptId).queryKey)).toEqual([{ id: "exe_1" }]);
});
