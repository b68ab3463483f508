import type { Approval, Attempt, SkeinEvent, Task } from "@skein/contracts";
import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { gitStateQuery, uncommittedQuery } from "../api/git-api.ts";
import { approvalsQuery, archivedTasksQuery, attemptsQuery, executionsQuery, inboxQuery, taskQuery, tasksQuery } from "../api/queries.ts";
import type { KnownTask } from "../api/task-activity.ts";
import { toNewTask } from "../api/to-new-task.ts";
import { applyEventsToCache, setTask } from "./apply-event-to-cache.ts";

const task = (changes: object = {}) =>
  ({ id: "tsk_1", projectId: "prj_1", title: "A", status: "todo", position: 1, createdAt: 1, updatedAt: 1, ...changes }) as Task;
const attempt = (changes: object) => ({ taskId: "tsk_1", number: 1, active: false, ...changes }) as Attempt;
const attemptId = "att_1" as Attempt["id"];
const apply = (client: QueryClient, event: object) => applyEventsToCache(client, [{ event: event as SkeinEvent }]);

describe("applyEventToCache", () => {
  it("an archived task leaves the board, and comes back to it", () => {
    const client = new QueryClient();
    const { id: taskId, projectId } = task();
    client.setQueryData(tasksQuery(projectId).queryKey, [task()]);
    client.setQueryData(archivedTasksQuery(projectId).queryKey, []);
    const lists = () =>
      [tasksQuery(projectId), archivedTasksQuery(projectId)].map(({ queryKey }) => client.getQueryData<Task[]>(queryKey)?.length);
    apply(client, { type: "task:updated", taskId, task: task({ archived: true, updatedAt: 2 }) });
    expect(lists()).toEqual([0, 1]);
    apply(client, { type: "task:updated", taskId, task: task({ archived: false, updatedAt: 3 }) });
    expect(lists()).toEqual([1, 0]);
    apply(client, { type: "task:deleted", taskId, projectId });
    expect(lists()).toEqual([0, 0]);
  });

  it("[E12] the inbox and the approvals are loaded again when a project is deleted", () => {
    const client = new QueryClient();
    const lists = [approvalsQuery.queryKey, inboxQuery.queryKey];
    for (const queryKey of lists) client.setQueryData(queryKey, []);
    apply(client, { type: "project:deleted", projectId: "prj_1" });
    expect(lists.map((queryKey) => client.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true]);
  });

  it.each(["execution:started", "execution:completed", "git:changed"])("%s loads the state of the attempt's branch again", (type) => {
    const client = new QueryClient();
    const keys = [gitStateQuery(attemptId).queryKey, uncommittedQuery(attemptId).queryKey];
    for (const queryKey of keys) client.setQueryData(queryKey as readonly unknown[], {});
    apply(client, { type, taskId: "tsk_1", attemptId, executionId: "exe_1" });
    expect(keys.map((queryKey) => client.getQueryState(queryKey)?.isInvalidated)).toEqual([true, true]);
  });

  it("a changed task shows on the board and on its page", () => {
    const client = new QueryClient();
    const { id, projectId } = task();
    client.setQueryData(tasksQuery(projectId).queryKey, [task()]);
    client.setQueryData(taskQuery(id).queryKey, task());
    const changed = task({ status: "done", updatedAt: 2 });
    apply(client, { type: "task:status-changed", taskId: id, previousStatus: "todo", newStatus: "done", task: changed });
    expect(client.getQueryData(tasksQuery(projectId).queryKey)).toEqual([changed]);
    expect(client.getQueryData(taskQuery(id).queryKey)).toEqual(changed);
  });

  it("the short description of a list never becomes that of a page", () => {
    const client = new QueryClient();
    const { id, projectId } = task();
    const listed = task({ description: "The beginn", isShortened: true });
    client.setQueryData(tasksQuery(projectId).queryKey, [listed]);
    setTask(client, { ...listed, status: "done" });
    expect(client.getQueryData(taskQuery(id).queryKey)).toBeUndefined();
    client.setQueryData(taskQuery(id).queryKey, task({ description: "The beginning and the rest" }));
    setTask(client, { ...listed, status: "done" });
    expect(client.getQueryData(taskQuery(id).queryKey)).toEqual(task({ description: "The beginning and the rest", status: "done" }));
    expect(client.getQueryData(tasksQuery(projectId).queryKey)).toEqual([{ ...listed, status: "done" }]);
    apply(client, { type: "task:updated", taskId: id, task: task({ description: "Another one", updatedAt: 2 }) });
    expect(client.getQueryData(taskQuery(id).queryKey)).toEqual(task({ description: "Another one", updatedAt: 2 }));
  });

  it("an older copy that arrives late changes nothing", () => {
    const client = new QueryClient();
    const newer = task({ title: "B", updatedAt: 5 });
    client.setQueryData(tasksQuery(newer.projectId).queryKey, [newer]);
    apply(client, { type: "task:updated", taskId: newer.id, task: task({ updatedAt: 4 }) });
    expect(client.getQueryData(tasksQuery(newer.projectId).queryKey)).toEqual([newer]);
  });

  it("a list that was never loaded is not made up from one event", () => {
    const client = new QueryClient();
    apply(client, { type: "task:created", taskId: "tsk_1", task: task() });
    expect(client.getQueryData(tasksQuery(task().projectId).queryKey)).toBeUndefined();
  });

  it("a task that was made elsewhere shows its activity from the start, and one that is known keeps what it shows", () => {
    const client = new QueryClient();
    const key = tasksQuery(task().projectId).queryKey;
    client.setQueryData(key, []);
    apply(client, { type: "task:created", taskId: "tsk_1", task: task() });
    const event = { type: "task:attempt-created", taskId: "tsk_1", attempt: attempt({ id: "att_1", active: true }) } as SkeinEvent;
    applyEventsToCache(client, [{ event, seq: 2 }]);
    const shown = client.getQueryData<KnownTask[]>(key)?.[0]?.activity;
    expect(shown).toMatchObject({ attemptId: "att_1" });
    apply(client, { type: "task:created", taskId: "tsk_1", task: task() });
    expect(client.getQueryData<KnownTask[]>(key)?.[0]?.activity).toEqual(shown);
  });

  it("[E6] a gap that is reported for many tasks reloads what is out of date once", () => {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, "invalidateQueries");
    applyEventsToCache(
      client,
      Array.from({ length: 1000 }, (_, i) => ({ event: { type: "state:conversation-sync", taskId: `tsk_${i}` } as SkeinEvent })),
    );
    expect(invalidate).toHaveBeenCalledOnce();
  });

  it("[E1] a new active attempt takes the place of the active one", () => {
    const client = new QueryClient();
    const key = attemptsQuery(task().id).queryKey;
    client.setQueryData(key, [attempt({ id: "att_1", active: true })]);
    apply(client, { type: "task:attempt-created", taskId: "tsk_1", attempt: attempt({ id: "att_2", active: true }) });
    expect(client.getQueryData(key)?.map(({ id, active }) => [id, active])).toEqual([
      ["att_1", false],
      ["att_2", true],
    ]);
    apply(client, { type: "task:attempt-updated", taskId: "tsk_1", attemptId: "att_1", updates: { active: true } });
    expect(client.getQueryData(key)?.map(({ active }) => active)).toEqual([true, false]);
  });

  it("an approval counts until it is answered", () => {
    const client = new QueryClient();
    const approval = { id: "apr_1", taskId: "tsk_1", status: "pending" } as Approval;
    client.setQueryData(approvalsQuery.queryKey, []);
    apply(client, { type: "approval:requested", approval });
    expect(client.getQueryData(approvalsQuery.queryKey)).toHaveLength(1);
    apply(client, { type: "approval:resolved", approval: { ...approval, status: "expired" } });
    expect(client.getQueryData(approvalsQuery.queryKey)).toEqual([]);
  });

  it("an opened task runs from execution:started to execution:completed", () => {
    const client = new QueryClient();
    const { queryKey } = taskQuery(task().id);
    client.setQueryData(queryKey, toNewTask(task()));
    const isExecuting = () => client.getQueryData(queryKey)?.activity?.executing;
    const execution = { id: "exe_1", startedAt: 1, status: "running" };
    const ended = { ...execution, status: "success", endedAt: 2, durationMs: 1, usage: {} };
    const created = attempt({ id: "att_1", active: true, agent: "native" });
    apply(client, { type: "task:attempt-created", taskId: "tsk_1", attemptId: "att_1", attempt: created });
    apply(client, { type: "execution:started", taskId: "tsk_1", attemptId: "att_1", executionId: "exe_1", execution });
    expect(isExecuting()).toBe(true);
    apply(client, { type: "execution:completed", taskId: "tsk_1", attemptId: "att_1", executionId: "exe_1", execution: ended });
    expect(isExecuting()).toBe(false);
  });

  it("[E9] the executions of an attempt are loaded again when one ends", () => {
    const client = new QueryClient();
    const key = executionsQuery(attempt({ id: "att_1" }).id).queryKey;
    client.setQueryData(key, []);
    apply(client, { type: "execution:completed", taskId: "tsk_1", attemptId: "att_2" });
    expect(client.getQueryState(key)?.isInvalidated).toBe(false);
    apply(client, { type: "execution:completed", taskId: "tsk_1", attemptId: "att_1" });
    expect(client.getQueryState(key)?.isInvalidated).toBe(true);
  });

  it("[E10] a question that arrives while the list is being loaded is not lost: the list is loaded again", async () => {
    const client = new QueryClient();
    const asked = { id: "apr_1", taskId: "tsk_1", status: "pending" } as Approval;
    const answers: Approval[][] = [[], [asked]];
    let calls = 0;
    const first = Promise.withResolvers<void>();
    const observer = new QueryObserver(client, {
      queryKey: approvalsQuery.queryKey,
      queryFn: async () => {
        const answer = answers[Math.min(calls++, 1)] ?? [];
        if (calls === 1) await first.promise;
        return answer;
      },
    });
    const stop = observer.subscribe(() => {});
    apply(client, { type: "approval:requested", taskId: "tsk_1", attemptId: "att_1", approval: asked });
    first.resolve();
    await vi.waitFor(() => expect(client.getQueryData(approvalsQuery.queryKey)).toEqual([asked]));
    stop();
  });

  it("[E12] an item of the inbox comes, goes and comes back", () => {
    const client = new QueryClient();
    client.setQueryData(inboxQuery.queryKey, []);
    const item = { kind: "ended", id: "exe_1", taskId: "tsk_1", attemptId: "att_1", clearedAt: null };
    const ids = () => client.getQueryData(inboxQuery.queryKey)?.map(({ id }) => id);
    const receive = (clearedAt: number | null) =>
      apply(client, { type: "inbox:changed", taskId: "tsk_1", attemptId: "att_1", item: { ...item, clearedAt } });
    receive(null);
    expect(ids()).toEqual(["exe_1"]);
    receive(5);
    expect(ids()).toEqual([]);
    receive(null);
    apply(client, { type: "task:deleted", taskId: "tsk_1", projectId: "prj_1" });
    expect(ids()).toEqual([]);
  });
});
