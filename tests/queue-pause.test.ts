import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult, QueueState, TaskSummary } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, newScriptedModel, type ScriptStep } from "./support/scripts.ts";

/** A task whose model first waits for a file `go` and then answers; `one` runs, `two` and `three` wait. */
async function startQueue(steps: ScriptStep[] = [{ toolCalls: [bashUntilGo] }, { text: "Done." }]) {
  const server = await startRealServer();
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel(steps), permissionMode: "full" });
  const { executionId = "" } = await server.api.send(task.id, "one");
  await server.api.send(task.id, "two");
  await server.api.send(task.id, "three");
  return {
    server,
    task,
    attempt,
    executionId,
    go: () => writeFileSync(join(attempt.directory, "go"), ""),
    said: async () => (await server.api.conversation(task.id)).messages.flatMap(({ role, content }) => (role === "user" ? content : [])),
  };
}

const readQueue = async (server: RealServer, taskId: string) => {
  const { queue, queuePause } = await server.api.request<QueueState>("GET", `/api/tasks/${taskId}/queue`);
  return { waiting: queue.map(({ message }) => message), paused: queuePause?.reason ?? null };
};
const resume = (server: RealServer, taskId: string, id?: string) =>
  server.api.request<CommandResult>("POST", "/api/commands", { ...(id === undefined ? {} : { id }), type: "RESUME_QUEUE", taskId });
const untilIdle = async (server: RealServer, attemptId: string, count: number) => {
  const stream = await openEventStream(server.api, { after: 0 });
  const ended = new Set<string>();
  await stream.waitFor(({ event }) => {
    if (event.type === "execution:completed" && event.attemptId === attemptId) ended.add(event.executionId);
    return ended.size === count;
  });
  stream.close();
};

describe("a queue after an unsuccessful execution", () => {
  test("[E4] stop pauses the queue, also after kill -9; the user resumes it, once, and it is sent in order", async () => {
    const { server, task, attempt, executionId, go, said } = await startQueue();
    const stream = await openEventStream(server.api);
    await server.api.stop(task.id);
    // the next server finds the stop on disk, whether or not this one had settled it
    await server.kill();
    await server.start();
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "cancelled" });
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three"], paused: "stopped" });
    await server.kill();
    await server.start();
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three"], paused: "stopped" });
    const { queuePause, isExecuting } = await server.api.conversation(task.id);
    expect({ isExecuting, reason: queuePause?.reason }).toEqual({ isExecuting: false, reason: "stopped" });
    expect((await server.api.request<TaskSummary>("GET", `/api/tasks/${task.id}`)).activity).toMatchObject({
      queued: 2,
      queuePaused: true,
    });
    expect(await said()).toEqual(["one"]);
    stream.close();

    go();
    const live = await openEventStream(server.api);
    const resumed = await resume(server, task.id, "resume-1");
    expect(resumed.executionId).toBeDefined();
    expect(await resume(server, task.id, "resume-1")).toEqual(resumed);
    expect(await resume(server, task.id)).toEqual({});
    const changed = await live.waitFor(({ event }) => event.type === "queue:changed");
    expect(changed.event).toMatchObject({ queue: [{ message: "three" }], queuePause: null });
    live.close();
    await untilIdle(server, attempt.id, 3);
    expect(await said()).toEqual(["one", "two", "three"]);
    expect(await readQueue(server, task.id)).toEqual({ waiting: [], paused: null });
  });

  test("[E4] a message sent while the queue is paused starts at once, and the queue stays paused behind it", async () => {
    const { server, task, attempt, executionId, go, said } = await startQueue();
    const steered = await server.api.request<CommandResult>("POST", "/api/commands", {
      ...{ type: "SEND_MESSAGE", taskId: task.id, message: "now", steer: true },
    });
    await server.api.stop(task.id);
    await waitForEnd(server, attempt.id, executionId);
    go();
    const urgent = await server.api.send(task.id, "urgent");
    expect(urgent.executionId).toBeDefined();
    await waitForEnd(server, attempt.id, urgent.executionId);
    expect(await said()).toEqual(["one", "urgent"]);
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three", "now"], paused: "stopped" });
    // the stopped agent has not read it: it can be removed like the others
    await server.api.request("DELETE", `/api/queue/${steered.queued}`);
    await server.api.request("DELETE", `/api/attempts/${attempt.id}/queue`);
    expect(await readQueue(server, task.id)).toEqual({ waiting: [], paused: null });
    expect(await resume(server, task.id)).toEqual({});
    expect(await server.api.executions(attempt.id)).toHaveLength(2);
  });

  test("[E4] a queue that is resumed while an execution runs continues when that has ended", async () => {
    const { server, task, attempt, executionId, go, said } = await startQueue();
    await server.api.stop(task.id);
    await waitForEnd(server, attempt.id, executionId);
    await server.api.send(task.id, "urgent");
    expect(await resume(server, task.id)).toEqual({});
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three"], paused: null });
    go();
    await untilIdle(server, attempt.id, 4);
    expect(await said()).toEqual(["one", "urgent", "two", "three"]);
  });

  test("[E4] a failure pauses the queue: the next message would build on missing work", async () => {
    const { server, task, attempt, executionId, go, said } = await startQueue([
      { toolCalls: [bashUntilGo] },
      { error: { kind: "auth", message: "401 no such key" } },
    ]);
    go();
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "failed" });
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three"], paused: "failed" });
    expect(await said()).toEqual(["one"]);
  });

  test("[E4] a lost agent pauses the queue", async () => {
    const { server, task, attempt, executionId } = await startQueue([{ toolCalls: [bash("kill -9 $PPID")] }, { text: "Never said." }]);
    expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "interrupted" });
    expect(await readQueue(server, task.id)).toEqual({ waiting: ["two", "three"], paused: "interrupted" });
  });
});
