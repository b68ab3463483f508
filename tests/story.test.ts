import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { ConversationMessage, Task } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "./support/api-client.ts";
import { openEventStream, type SeenEvent } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const isCompleted = (executionId: string | undefined) => (seen: { event: { type: string; executionId?: string } }) =>
  seen.event.type === "execution:completed" && seen.event.executionId === executionId;

const isCardOf =
  (task: Task) =>
  ({ event }: SeenEvent): boolean =>
    event.type === "message:added" && event.taskId === task.id && event.message.messageType === "tool_execution";

const cards = (messages: readonly ConversationMessage[]) => messages.filter((message) => message.messageType === "tool_execution");

/** For tests that do not restart it. */
let shared: RealServer;
beforeAll(async () => {
  shared = await startRealServer({ keep: true });
});
afterAll(() => shared.stop());

async function startTask(options: { model?: string } = {}, server = shared) {
  const repository = newRepository();
  const project = await server.api.createProject(repository);
  const task = await server.api.createTask(project.id, "Show me");
  const attempt = await server.api.createAttempt(task.id, options);
  return { server, repository, project, task, attempt };
}

describe("the whole path over HTTP", () => {
  test("[N4] the demo works live, really does what its cards show, and has the same ids, times and order after a restart", async () => {
    const { server, repository, task, attempt } = await startTask({}, await startRealServer());
    const stream = await openEventStream(server.api);
    const { executionId } = await server.api.send(task.id, "Show me what you can do");
    await stream.waitFor(isCompleted(executionId));

    const { messages, isExecuting } = await server.api.conversation(task.id);
    expect(isExecuting).toBe(false);
    expect(messages[0]).toMatchObject({ role: "user", messageType: "text", content: "Show me what you can do" });
    expect(messages.at(-1)).toMatchObject({ role: "assistant", messageType: "text" });
    const tools = cards(messages).map((card) => [card.metadata.toolName, card.metadata.state, card.metadata.details?.type]);
    expect(tools).toEqual(
      expect.arrayContaining([
        ["todo", "completed", "todoList"],
        ["list", "completed", "fileList"],
        ["read", "completed", "fileContent"],
        ["write", "completed", "diff"],
        ["edit", "completed", "diff"],
        ["bash", "completed", "commandOutput"],
        ["bash", "failed", "commandOutput"],
      ]),
    );
    expect(cards(messages).every((card) => card.metadata.state !== "running" && card.metadata.durationMs >= 0)).toBe(true);

    // shown live before it was committed: text grew, cards ran, and none of it had a sequence number
    const live = stream.seen.filter(({ seq, event }) => seq === undefined && event.type === "message:added");
    const revisions = new Map<string, Set<string>>();
    for (const { event } of live) {
      if (event.type !== "message:added") continue;
      const state = event.message.messageType === "tool_execution" ? event.message.metadata.state : event.message.content;
      revisions.set(event.message.id, (revisions.get(event.message.id) ?? new Set()).add(state));
    }
    const answer = messages.find((message) => message.messageType === "text" && message.role === "assistant");
    expect(revisions.get(answer?.id ?? "")?.size).toBeGreaterThan(3);
    expect([...revisions.values()].some((states) => states.has("running"))).toBe(true);

    // in the attempt's own worktree, not in the repository
    expect(attempt.branch).toBe("skein/show-me-1");
    expect(existsSync(join(attempt.directory, "skein-demo.md"))).toBe(true);
    expect(git(repository, "status", "--porcelain")).toBe("");
    const diff = await server.api.request<{ files: { filePath: string; change: string }[] }>("GET", `/api/attempts/${attempt.id}/diff`);
    expect(diff.files).toMatchObject([{ filePath: "skein-demo.md", change: "created" }]);
    expect(await server.api.getTask(task.id)).toMatchObject({ status: "in-review", activeAttemptId: attempt.id });

    const storedBefore = await server.api.messages(attempt.id);
    await server.stop();
    await server.start();
    expect((await server.api.conversation(task.id)).messages).toEqual(messages);
    expect(await server.api.messages(attempt.id)).toEqual(storedBefore);

    // and it continues in the same attempt
    const again = await openEventStream(server.api);
    const second = await server.api.send(task.id, "And now?");
    await again.waitFor(isCompleted(second.executionId));
    const continued = (await server.api.conversation(task.id)).messages;
    expect(continued.slice(0, messages.length)).toEqual(messages);
    expect(continued.length).toBeGreaterThan(messages.length + 2);
    const executions = await server.api.executions(attempt.id);
    expect(executions).toMatchObject([
      { number: 1, status: "success", exitCode: 0 },
      { number: 2, status: "success", exitCode: 0 },
    ]);
  });

  test("[P1, P2, P6] saved in order: user, then per cycle the assistant message and its results in call order", async () => {
    const model = newScriptedModel([
      { text: "First.", toolCalls: [bash("sleep 0.2; echo slow"), { name: "list", arguments: {} }] },
      { text: "Second.", toolCalls: [bash("echo again")] },
      { text: "Done." },
    ]);
    const { server, task, attempt } = await startTask({ model });
    const stream = await openEventStream(server.api);
    const { executionId } = await server.api.send(task.id, "go");
    // nothing of the turn is in the message table until its end (P1)
    await stream.waitFor(isCardOf(task));
    expect((await server.api.messages(attempt.id)).map((message) => message.body.role)).toEqual(["user"]);
    await stream.waitFor(isCompleted(executionId));
    const stored = await server.api.messages(attempt.id);
    expect(stored.map((message) => message.body.role)).toEqual(["user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]);
    const calls = stored.flatMap(({ body }) => (body.role === "assistant" ? (body.toolCalls ?? []).map((call) => call.id) : []));
    const results = stored.flatMap(({ body }) => (body.role === "tool" ? body.content.map((part) => part.toolCallId) : []));
    expect(results).toEqual(calls);
  });

  test("[E5] every execution has exactly one start and one end, whatever ends it", async () => {
    const { server, task, attempt } = await startTask({ model: newScriptedModel([{ text: "Waiting.", toolCalls: [bash("sleep 100")] }]) });
    const stream = await openEventStream(server.api);
    const first = await server.api.send(task.id, "one");
    await stream.waitFor(isCardOf(task));
    await server.api.stop(task.id);
    await stream.waitFor(isCompleted(first.executionId));
    const ofFirst = stream.seen.flatMap(({ event }) =>
      "executionId" in event && event.executionId === first.executionId ? [event.type] : [],
    );
    expect(ofFirst).toEqual(["execution:started", "execution:completed"]);
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "cancelled" }]);
    const { messages } = await server.api.conversation(task.id);
    expect(cards(messages).map((card) => card.metadata.state)).toEqual(["interrupted"]);
    expect(await server.api.getTask(task.id)).toMatchObject({ status: "in-progress" });
  });

  test("[E2, E4] a command is done once; a message sent meanwhile waits, can be edited and removed, and is sent in order", async () => {
    const model = newScriptedModel([{ toolCalls: [bash("sleep 1; echo ok")] }, { text: "Done." }]);
    const { server, task, attempt } = await startTask({ model });
    const stream = await openEventStream(server.api);
    const first = await server.api.send(task.id, "one", "cmd-1");
    expect(await server.api.send(task.id, "one", "cmd-1")).toEqual(first);
    const [second, third, fourth] = [
      await server.api.send(task.id, "two"),
      await server.api.send(task.id, "three"),
      await server.api.send(task.id, "four"),
    ];
    expect([second, third, fourth].every((result) => result.queued !== undefined && result.executionId === undefined)).toBe(true);
    await server.api.request("PATCH", `/api/queue/${third.queued}`, { message: "3" });
    await server.api.request("DELETE", `/api/queue/${fourth.queued}`);
    let completed = 0;
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.taskId === task.id && ++completed === 3);
    const { messages, queue } = await server.api.conversation(task.id);
    expect(messages.filter((message) => message.role === "user").map((message) => message.content)).toEqual(["one", "two", "3"]);
    expect(queue).toEqual([]);
    expect((await server.api.executions(attempt.id)).map((execution) => execution.status)).toEqual(["success", "success", "success"]);
  });

  test("[E4] a message can steer the agent at work: it is read at the next step, once, also over a restart, and belongs to that execution", async () => {
    const model = newScriptedModel([{ toolCalls: [bash("sleep 3; echo ok")] }, { text: "Answered." }]);
    const { server, task, attempt } = await startTask({ model }, await startRealServer());
    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "one");
    await stream.waitFor(isCardOf(task));
    const steered = await server.api.request<{ queued: string }>("POST", "/api/commands", {
      type: "SEND_MESSAGE",
      taskId: task.id,
      message: "Look at the tests, too",
      steer: true,
    });
    const taken = await server.api.request("DELETE", `/api/queue/${steered.queued}`).catch((error: ApiError) => error);
    expect(taken).toMatchObject({ status: 409, problem: { code: "already-handed-over" } });
    await server.kill();
    await server.start();
    const after = await openEventStream(server.api, { after: 0 });
    await after.waitFor(({ event }) => event.type === "execution:completed");
    const { messages, queue } = await server.api.conversation(task.id);
    expect(queue).toEqual([]);
    expect(messages.filter((message) => message.role === "user").map((message) => message.content)).toEqual([
      "one",
      "Look at the tests, too",
    ]);
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
    const roles = (await server.api.messages(attempt.id)).map((message) => message.body.role);
    expect(roles.slice(0, 4)).toEqual(["user", "assistant", "tool", "user"]);
  });

  test("[E2] without an attempt a message is refused with what to do", async () => {
    const server = shared;
    const project = await server.api.createProject(newRepository());
    const task = await server.api.createTask(project.id);
    const refused = await server.api.send(task.id, "hello").catch((error: ApiError) => error);
    expect(refused).toMatchObject({ status: 409, problem: { detail: "No attempt found for this task. Please create an attempt first." } });
  });

  test("[E10] an approval is asked, survives a restart while it is open, is answered once, and the tool runs once", async () => {
    const model = newScriptedModel([{ toolCalls: [bash("echo ran >> ran.txt")] }, { text: "Done." }]);
    const server = await startRealServer();
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "go");
    await stream.waitFor(({ event }) => event.type === "approval:requested");
    await server.kill();
    await server.start();
    const { approvals, isExecuting } = await server.api.conversation(task.id);
    expect(isExecuting).toBe(true);
    expect(approvals).toMatchObject([{ toolName: "bash", status: "pending", input: { command: "echo ran >> ran.txt" } }]);
    const id = approvals[0]?.id;
    const after = await openEventStream(server.api);
    const answers = await Promise.allSettled([1, 2].map(() => server.api.request("POST", `/api/approvals/${id}`, { decision: "allow" })));
    expect(answers.map((answer) => answer.status).sort()).toEqual(["fulfilled", "rejected"]);
    await after.waitFor(({ event }) => event.type === "execution:completed");
    expect(readFileSync(join(attempt.directory, "ran.txt"), "utf8")).toBe("ran\n");
    expect((await server.api.conversation(task.id)).approvals).toEqual([]);
  });

  test("[E6] Last-Event-ID returns everything after it, in order, nothing twice", async () => {
    const { server, task } = await startTask({ model: newScriptedModel([{ toolCalls: [bash("echo 1")] }, { text: "Done." }]) });
    const stream = await openEventStream(server.api, { after: 0 });
    const { executionId } = await server.api.send(task.id, "go");
    await stream.waitFor(isCompleted(executionId));
    const sequence = stream.seen.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(sequence).toEqual([...new Set(sequence)].sort((a, b) => a - b));
    const middle = sequence[Math.floor(sequence.length / 2)] ?? 0;
    const replay = await openEventStream(server.api, { lastEventId: middle });
    await replay.waitFor(isCompleted(executionId));
    expect(replay.seen.filter(({ seq }) => seq !== undefined).map(({ seq }) => seq)).toEqual(sequence.filter((seq) => seq > middle));
  });

  test.each([
    ["a path that does not exist", () => "/no/such/folder", "path-not-found"],
    ["a folder that is no repository", () => newFolder("plain"), "not-a-repository"],
  ])("%s is refused with a message and what to do", async (_name, path, code) => {
    const refused = await shared.api.createProject(path()).catch((error: ApiError) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ status: 422, problem: { code } });
  });

  test("deleting a task stops what runs, removes its worktree and branch, and leaves the repository alone", async () => {
    const { server, repository, task, attempt } = await startTask({ model: newScriptedModel([{ toolCalls: [bash("sleep 100")] }]) });
    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "go");
    await stream.waitFor(isCardOf(task));
    await server.api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
    expect(existsSync(attempt.directory)).toBe(false);
    expect(git(repository, "worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git(repository, "branch", "--list", "skein/*")).toBe("");
    await expect(server.api.getTask(task.id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("access control, on the real server", () => {
  function ask(url: string, headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      request(new URL("/api/projects", url), { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end();
    });
  }

  test("[X2, X3, X4] no credential 401, another host 403, a foreign origin 403, the token 200", async () => {
    const server = shared;
    const { host } = new URL(server.url);
    const token = server.api.headers.authorization;
    expect(await ask(server.url, {})).toBe(401);
    expect(await ask(server.url, { host: "evil.example", authorization: token })).toBe(403);
    expect(await ask(server.url, { host: `evil.example:${new URL(server.url).port}`, authorization: token })).toBe(403);
    expect(await ask(server.url, { host, origin: "http://evil.example" })).toBe(403);
    expect(await ask(server.url, { host, authorization: token })).toBe(200);
  });
});
