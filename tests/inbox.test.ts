import type { InboxItem, JsonValue, Task } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const finishes = newScriptedModel([{ text: "Done." }]);
const fails = newScriptedModel([{ error: { kind: "auth", message: "wrong key" } }]);
const asks = newScriptedModel([{ toolCalls: [bash("touch a")] }, { text: "Done." }]);

const list = ({ api }: RealServer) => api.request<InboxItem[]>("GET", "/api/inbox");
const update = ({ api }: RealServer, id: string, cleared: boolean) => api.request<InboxItem>("PATCH", `/api/inbox/${id}`, { cleared });

const pathOf = (input: JsonValue) => (typeof input === "object" && input !== null && "path" in input ? input.path : undefined);

async function start(
  server: RealServer,
  projectId: string,
  model: string,
): Promise<{ task: Task; attemptId: string; executionId: string }> {
  const task = await server.api.createTask(projectId);
  const { id: attemptId } = await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
  const { executionId = "" } = await server.api.send(task.id, "go");
  return { task, attemptId, executionId };
}

async function run(server: RealServer, projectId: string, model: string) {
  const started = await start(server, projectId, model);
  await waitForEnd(server, started.attemptId, started.executionId);
  return started;
}

describe("the inbox", () => {
  test("[E12] finished, failed and interrupted work is in it, oldest first, also after a restart; work that the user stopped is not", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const finished = await run(server, projectId, finishes);
    const failed = await run(server, projectId, fails);
    const stopped = await start(server, projectId, asks);
    const stream = await openEventStream(server.api, { after: 0 });
    await stream.waitFor(({ event }) => event.type === "approval:requested" && event.taskId === stopped.task.id);
    await server.api.stop(stopped.task.id);
    await waitForEnd(server, stopped.attemptId, stopped.executionId);
    const expected = [
      { id: finished.executionId, attemptId: finished.attemptId, execution: { status: "success" }, clearedAt: null },
      { id: failed.executionId, attemptId: failed.attemptId, execution: { status: "failed" }, clearedAt: null },
    ];
    expect(await list(server)).toMatchObject(expected);
    const added = await stream.waitFor(({ event }) => event.type === "inbox:changed" && event.item.id === failed.executionId);
    expect(added.event).toMatchObject({ taskId: failed.task.id, item: expected[1] });
    stream.close();
    await server.stop();
    await server.start();
    expect(await list(server)).toMatchObject(expected);
  });

  test("[E12] an item is cleared and put back, for every client, until its attempt gets another message", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const { executionId, attemptId, task } = await run(server, projectId, finishes);
    const stream = await openEventStream(server.api, { after: 0 });
    expect(await update(server, executionId, true)).toMatchObject({ id: executionId, clearedAt: expect.any(Number) });
    expect(await update(server, executionId, true), "again").toMatchObject({ id: executionId });
    expect(await list(server)).toEqual([]);
    await stream.waitFor(({ event }) => event.type === "inbox:changed" && event.item.clearedAt !== null);
    stream.close();
    expect(await update(server, executionId, false)).toMatchObject({ id: executionId, clearedAt: null });
    expect(await list(server)).toMatchObject([{ id: executionId }]);

    const second = await server.api.send(task.id, "again");
    await waitForEnd(server, attemptId, second.executionId);
    expect(await list(server)).toMatchObject([{ id: second.executionId }]);
    await expect(update(server, executionId, false)).rejects.toMatchObject({ status: 409, problem: { code: "inbox-item-superseded" } });
    await expect(update(server, "exe_unknown", true)).rejects.toMatchObject({ status: 404 });
  });

  test.each([{ status: "done" }, { status: "cancelled" }, { archived: true }])(
    "[E12] a task that becomes %j leaves it",
    async (changes) => {
      const server = await startRealServer();
      const { id: projectId } = await server.api.createProject(newRepository());
      const { task } = await run(server, projectId, finishes);
      expect(await list(server)).toHaveLength(1);
      await server.api.request("PATCH", `/api/tasks/${task.id}`, changes);
      expect(await list(server)).toEqual([]);
    },
  );

  test("[E10] a question about a whole file reports whether the file exists", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const write = (path: string) => ({ name: "write", arguments: { path, content: "x\n" } });
    const model = newScriptedModel([{ toolCalls: [write("hello.js"), write("src/new.js"), bash("ls")] }, { text: "Done." }]);
    await start(server, projectId, model);
    const stream = await openEventStream(server.api, { after: 0 });
    const seen: unknown[] = [];
    for (const name of ["hello.js", "src/new.js", undefined]) {
      const { event } = await stream.waitFor(
        ({ event: { type, ...of } }) => type === "approval:requested" && "approval" in of && pathOf(of.approval.input) === name,
      );
      if (event.type !== "approval:requested") continue;
      seen.push([name, event.approval.overwrites]);
      await server.api.request("POST", `/api/approvals/${event.approval.id}`, { decision: "deny" });
    }
    stream.close();
    expect(seen).toEqual([
      ["hello.js", true],
      ["src/new.js", false],
      [undefined, undefined],
    ]);
  });
});
