import type { ProjectId, SkeinEvent, TaskSummary } from "@skein/contracts";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { api, type TaskPageQuery } from "../api/api.ts";
import { tasksQuery } from "../api/queries.ts";
import { applyEventsToCache } from "./apply-event-to-cache.ts";

const projectId = "prj_1" as ProjectId;
const query = tasksQuery(projectId);
const activity = { attemptId: null, agent: null, open: [], lastEnd: null, totals: { executions: 0, durationMs: 0, usage: {} }, seq: 1 };
const toTask = (number: number, changes: object = {}): TaskSummary =>
  ({
    ...{ id: `tsk_${number}`, projectId, title: `Task ${number}`, status: "todo", archived: false, activeAttemptId: null },
    ...{ position: number, createdAt: 1, updatedAt: 1, activity, ...changes },
  }) as unknown as TaskSummary;
const tasks = Array.from({ length: 1500 }, (_, number) => toTask(number));

afterEach(() => vi.restoreAllMocks());

/** Answers with the tasks as they were at the start; `meanwhile` runs before the last page is answered. */
function serve(meanwhile: () => void) {
  vi.spyOn(api, "listTasks").mockImplementation(async ({ status, after, limit }: TaskPageQuery) => {
    const page = tasks.filter((task) => (status ?? task.status) === task.status && task.position > (after?.position ?? -1)).slice(0, limit);
    if (after !== undefined && page.length < limit) meanwhile();
    return page;
  });
}

const toEvents = (): SkeinEvent[] => [
  { type: "task:updated", taskId: toTask(1).id, task: toTask(1, { title: "Renamed", updatedAt: 5 }) },
  { type: "task:created", taskId: toTask(2000).id, task: toTask(2000) },
  { type: "task:deleted", taskId: toTask(2).id, projectId },
  { type: "task:updated", taskId: toTask(3).id, task: toTask(3, { archived: true, updatedAt: 5 }) },
];

test.each(["for the first time", "again"])("[Q12] what events bring while a long list is loaded %s stays", async (when) => {
  const client = new QueryClient();
  if (when === "again") client.setQueryData(query.queryKey, tasks);
  serve(() =>
    applyEventsToCache(
      client,
      toEvents().map((event) => ({ event })),
    ),
  );
  await client.fetchQuery(query);
  const known = new Map((client.getQueryData(query.queryKey) ?? []).map((task) => [task.id as string, task]));
  expect(known.get("tsk_1")?.title).toBe("Renamed");
  expect(["tsk_2000", "tsk_2", "tsk_3"].map((id) => known.has(id))).toEqual([true, false, false]);
  expect(known.size).toBe(1499);
});

test("[Q12] what the server no longer has is gone when the list is loaded again", async () => {
  const client = new QueryClient();
  client.setQueryData(query.queryKey, [...tasks, toTask(3000)]);
  serve(() => {});
  await client.fetchQuery(query);
  expect(client.getQueryData(query.queryKey)).toHaveLength(1500);
});
