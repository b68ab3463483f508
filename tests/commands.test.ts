import type { Attempt, CommandResult } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { type AgentTask, openAgentTask } from "./support/agent-task.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const execute = (task: AgentTask, command: object) =>
  task.server.api.request<CommandResult>("POST", "/api/commands", { taskId: task.taskId, ...command });

const generous = { timeout: 60_000, interval: 200 };

test("[E2] a command without an attempt applies only to the active one; with one, to that one", async () => {
  const model = newScriptedModel([{ toolCalls: [bash("sleep 60")] }, { text: "never" }]);
  const task = await openAgentTask({ attempt: { agent: "native", model } });
  const { api } = task.server;
  const running = await task.send("go");
  const other = await api.createAttempt(task.taskId, { model });

  // the active attempt is idle: nothing to stop, and the other one keeps running
  expect(await execute(task, { type: "STOP_EXECUTION" })).toEqual({});
  expect((await api.executions(task.attempt.id)).map(({ status }) => status)).toEqual(["running"]);
  expect(await execute(task, { type: "STOP_EXECUTION", attemptId: other.id })).toEqual({});

  // a message to the running one is queued there
  const { queued } = await execute(task, { type: "SEND_MESSAGE", message: "later", attemptId: task.attempt.id });
  expect(queued).toBeDefined();
  expect(await api.executions(other.id)).toEqual([]);

  expect(await execute(task, { type: "STOP_EXECUTION", attemptId: task.attempt.id })).toEqual({ executionId: running });
  expect(await task.ended(running)).toMatchObject({ status: "cancelled" });
  await vi.waitFor(async () => {
    await execute(task, { type: "STOP_EXECUTION", attemptId: task.attempt.id });
    expect((await api.executions(task.attempt.id)).every(({ status }) => status !== "running")).toBe(true);
  }, generous);

  const elsewhere = await api.createTask((await api.getTask(task.taskId)).projectId, "Another");
  const foreign = await api.createAttempt(elsewhere.id);
  const refused = { status: 404, problem: { code: "attempt-not-found" } };
  await expect(execute(task, { type: "SEND_MESSAGE", message: "x", attemptId: foreign.id })).rejects.toMatchObject(refused);
  await expect(execute(task, { type: "STOP_EXECUTION", attemptId: foreign.id })).rejects.toMatchObject(refused);
});

test("[E2] images may be null, objects or data URLs", async () => {
  const model = newScriptedModel([{ text: "one" }, { text: "two" }, { text: "three" }]);
  const task = await openAgentTask({ attempt: { agent: "native", model } });
  const image = { type: "image", mediaType: "image/png", data: pixel };
  for (const images of [null, [image], [`data:image/png;base64,${pixel}`]]) {
    const { executionId = "" } = await execute(task, { type: "SEND_MESSAGE", message: "look", images });
    await task.ended(executionId);
  }
  const sent = (await task.server.api.messages(task.attempt.id)).filter(({ body }) => body.role === "user");
  const withImage = [{ type: "text", text: "look" }, image];
  expect(sent.map(({ body }) => body.content)).toEqual(["look", withImage, withImage]);
  await expect(execute(task, { type: "SEND_MESSAGE", message: "x", images: ["https://example.invalid/a.png"] })).rejects.toMatchObject({
    status: 400,
  });
});

test("[E2] a task without an attempt is rejected with what to do", async () => {
  const task = await openAgentTask({ attempt: { agent: "native", model: "scripted/demo" } });
  const empty = await task.server.api.createTask((await task.server.api.getTask(task.taskId)).projectId, "Empty");
  await expect(task.server.api.send(empty.id, "hello")).rejects.toMatchObject({
    problem: { detail: "No attempt found for this task. Please create an attempt first." },
  });
  expect(await task.server.api.request<Attempt[]>("GET", `/api/tasks/${empty.id}/attempts`)).toEqual([]);
});
