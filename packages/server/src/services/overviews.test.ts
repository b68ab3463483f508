import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AttemptId, overviewSchema, type ProjectId, type TaskId } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import {
  buildAttempt,
  buildConversationMessage,
  buildEndedExecution,
  buildExecution,
  buildProject,
  buildTask,
  testId,
} from "@skein/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createOverviewService } from "./overviews.ts";
import type { ServiceContext } from "./service-context.ts";

const [task, attempt] = [buildTask(), buildAttempt()];
const [projectId, otherProjectId] = [task.projectId, "prj_2" as ProjectId];

async function openService() {
  const storage = await openSqliteStorage({ file: join(mkdtempSync(join(tmpdir(), "skein-overview-")), "skein.db") });
  onTestFinished(() => storage.close());
  const execution = buildExecution({ attemptId: attempt.id });
  await storage.transaction(async (tx) => {
    await tx.insertProject(buildProject());
    await tx.insertProject(buildProject({ id: otherProjectId, path: "/elsewhere" }));
    await tx.insertTask(task);
    await tx.insertTask(buildTask({ id: "tsk_2" as TaskId, position: 2, description: "word ".repeat(100) }));
    await tx.insertTask(buildTask({ id: "tsk_3" as TaskId, position: 3, archived: true }));
    await tx.insertTask(buildTask({ id: "tsk_4" as TaskId, projectId: otherProjectId }));
    await tx.insertAttempt(attempt);
    await tx.insertAttempt(buildAttempt({ id: "att_2" as AttemptId, number: 2, active: false }));
    await tx.insertExecution(execution);
    const messages = [1, 2, 3].map((number) => buildConversationMessage({ id: `msg_${number}` }));
    await tx.putConversationMessages({ attemptId: attempt.id, executionId: execution.id, messages });
    await tx.appendEvent({ type: "task:created", taskId: task.id, task }, 1);
  });
  // only what these methods ask of it
  const service = createOverviewService({ storage, supervisor: { liveMessages: () => [] } } as unknown as ServiceContext);
  const read = (query: { projectId?: ProjectId; taskId?: TaskId; attemptId?: AttemptId } = {}) =>
    service.start({ tasks: 200, messages: 2, mergeMode: "live", ...query });
  return { storage, service, read };
}

test("[E7] an overview is as of its `lastSeq`: a stream that starts there continues it", async () => {
  const { storage, read } = await openService();
  const { lastSeq, task: opened } = await read({ taskId: task.id });
  expect([lastSeq, opened?.conversation.lastSeq]).toEqual([await storage.read.getLastSeq(), lastSeq]);
  await storage.transaction((tx) => tx.appendEvent({ type: "task:updated", taskId: task.id, task }, 2));
  expect((await read()).lastSeq).toBe(lastSeq + 1);
});

test("an overview has the board of the task's project, of the given one, or of the first", async () => {
  const { read } = await openService();
  const board = async (query: Parameters<typeof read>[0]) => {
    const { board: found } = await read(query);
    return [found?.projectId, ...(found?.tasks.map(({ id }) => id) ?? [])];
  };
  expect(await board({})).toEqual([projectId, task.id, "tsk_2"]);
  expect(await board({ projectId: otherProjectId })).toEqual([otherProjectId, "tsk_4"]);
  expect(await board({ projectId, taskId: "tsk_4" as TaskId })).toEqual([otherProjectId, "tsk_4"]);
  expect(await board({ projectId: "prj_gone" as ProjectId })).toEqual([projectId, task.id, "tsk_2"]);
  const shortened = (await read()).board?.tasks.find(({ id }) => id === "tsk_2");
  expect([shortened?.isShortened, shortened?.description.length]).toEqual([true, 200]);
});

test("the board of an overview has short activities: reading them gives those of the tasks", async () => {
  const { storage, service, read } = await openService();
  const other = buildAttempt({ id: "att_3" as AttemptId, taskId: "tsk_2" as TaskId });
  const ended = { id: testId("exe", 2), taskId: other.taskId, attemptId: other.id };
  await storage.transaction(async (tx) => {
    await tx.insertAttempt(other);
    await tx.insertExecution(buildExecution(ended));
    await tx.endExecution(buildEndedExecution({ ...ended, usage: { costUsd: 0.5 } }));
  });
  const sent = await read();
  expect(sent.board?.tasks.map(({ activity }) => "open" in activity)).toEqual([true, false]);
  const whole = await Promise.all([task.id, other.taskId].map((taskId) => service.task({ taskId, messages: 1, mergeMode: "live" })));
  const received = overviewSchema.parse(JSON.parse(JSON.stringify(sent))).board?.tasks;
  expect(received?.map(({ activity }) => activity)).toEqual(whole.map((one) => one.task.activity));
});

test("an overview of a task has its attempts, the newest messages of one of them, and that one's executions", async () => {
  const { service, read } = await openService();
  const opened = await service.task({ taskId: task.id, messages: 2, mergeMode: "live" });
  expect(opened.attempts.map(({ id }) => id)).toEqual([attempt.id, "att_2"]);
  expect([opened.conversation.attemptId, opened.conversation.messages.map(({ id }) => id), opened.conversation.hasMore]).toEqual([
    attempt.id,
    ["msg_2", "msg_3"],
    true,
  ]);
  expect(opened.executions).toHaveLength(1);
  expect((await read({ taskId: task.id })).task).toEqual(opened);
  const other = await service.task({ taskId: task.id, attemptId: "att_2" as AttemptId, messages: 2, mergeMode: "live" });
  expect([other.conversation.attemptId, other.executions]).toEqual(["att_2", []]);
});

test("a start with a task or attempt that is gone still has the rest", async () => {
  const { service, read } = await openService();
  expect(await read({ taskId: "tsk_gone" as TaskId })).toMatchObject({ task: null, board: { projectId } });
  const gone = { taskId: task.id, attemptId: "att_gone" as AttemptId };
  expect((await read(gone)).task?.conversation.attemptId).toBe(attempt.id);
  await expect(service.task({ ...gone, messages: 2, mergeMode: "live" })).rejects.toMatchObject({ code: "attempt-not-found" });
});
