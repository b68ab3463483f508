import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Approval, type Attempt, type Health, sessionHeader, sessionSchema, type Task } from "@skein/contracts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openCutProxy } from "../packages/storage/src/postgres/__fixtures__/cut-proxy.ts";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { isLong } from "./support/long.ts";
import { expectOrdered, leaseSeconds, listNodes, numbersOf, startNodes, waitForLog, waitForState } from "./support/nodes.ts";
import type { RealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, countedLines, countingEnd, countingSteps, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const kills = isLong ? 60 : 3;
const steps = 4;
const model = newScriptedModel([...countingSteps(steps), countingEnd]);
const counted = countedLines(steps);
const waitingModel = newScriptedModel([{ text: "I wait now.", toolCalls: [bashUntilGo] }, { text: "Done." }]);

const isEnd =
  (executionId: string | undefined) =>
  ({ event }: { event: { type: string; executionId?: string } }): boolean =>
    event.type === "execution:completed" && event.executionId === executionId;

const hasToolOf =
  (task: Task) =>
  ({ event }: EventStream["seen"][number]): boolean =>
    event.type === "message:added" && event.taskId === task.id && event.message.messageType === "tool_execution";

async function newAttempt(
  server: RealServer,
  input: Parameters<RealServer["api"]["createAttempt"]>[1],
): Promise<{ task: Task; attempt: Attempt }> {
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  return { task, attempt: await server.api.createAttempt(task.id, input) };
}

/** The name that a server gives to its cookie. */
async function listCookieNames(server: RealServer): Promise<string[]> {
  const response = await fetch(new URL("/api/logout", server.url), {
    method: "POST",
    headers: { ...server.api.headers, "content-type": "application/json" },
    body: "{}",
  });
  return response.headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf("=")));
}

/** All that a client of any server can ask for about an attempt. */
async function readAll(server: RealServer, { task, attempt }: { task: Task; attempt: Attempt }): Promise<unknown[]> {
  const paths = [`tasks/${task.id}/overview`, `attempts/${attempt.id}/diff`, `attempts/${attempt.id}/folder`, `attempts/${attempt.id}/git`];
  return Promise.all(paths.map((path) => server.api.request<unknown>("GET", `/api/${path}`)));
}

describe.skipIf(testServerUrl === undefined)("[W2] several servers on one database", () => {
  const databases = createTestDatabases();

  test("[Q23] behave as one: any of them takes commands and serves every page, and their clients see one order", async () => {
    const [first, second, third] = await startNodes(["first", "second", "third"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined || third === undefined) throw new Error("not started");
    expect((await listNodes(third)).map(({ name, state, isOwn }) => [name, state, isOwn])).toEqual([
      ["first", "active", false],
      ["second", "active", false],
      ["third", "active", true],
    ]);
    const streams = await Promise.all([first, second, third].map((server) => openEventStream(server.api, { after: 0 })));
    const work = await newAttempt(first, { model });
    // the agent runs on the machine of the first
    const { executionId } = await second.api.send(work.task.id, "Go through all steps", "cmd_same");
    expect(await third.api.send(work.task.id, "Go through all steps", "cmd_same")).toEqual({ executionId });
    const other = await newAttempt(second, { model: waitingModel });
    const waiting = await third.api.send(other.task.id, "Wait");
    await Promise.all(streams.map((stream) => stream.waitFor(isEnd(executionId))));
    expect(readFileSync(join(work.attempt.directory, "count.txt"), "utf8")).toBe(counted);
    expect(existsSync(join(first.home, "executions", executionId ?? ""))).toBe(true);
    expect(await readAll(second, work)).toEqual(await readAll(first, work));
    expect(await readAll(third, work)).toEqual(await readAll(first, work));

    // stopped by a server that does not run it
    await streams[0]?.waitFor(hasToolOf(other.task));
    await first.api.stop(other.task.id);
    await Promise.all(streams.map((stream) => stream.waitFor(isEnd(waiting.executionId))));
    expect(await third.api.executions(other.attempt.id)).toMatchObject([{ status: "cancelled" }]);
    const last = await third.api.createTask(work.task.projectId, "The last");
    const created = ({ event }: EventStream["seen"][number]) => event.type === "task:created" && event.taskId === last.id;
    await Promise.all(streams.map((stream) => stream.waitFor(created)));
    for (const stream of streams) expectOrdered(stream);
    const [one, ...others] = streams.map(numbersOf);
    for (const numbers of others) expect(numbers).toEqual(one);
    for (const stream of streams) stream.close();
  });

  test("[E10] an approval is answered at any of them, once, and the agent continues", async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const asking = newScriptedModel([{ toolCalls: [bash("echo asked >> asked.txt")] }, { text: "Done." }]);
    const { task, attempt } = await newAttempt(first, { model: asking, permissionMode: "ask" });
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await first.api.send(task.id, "Ask me");
    const asked = await stream.waitFor(({ event }) => event.type === "approval:requested");
    const { approval } = asked.event as unknown as { approval: Approval };
    const answers = await Promise.allSettled(
      [first, second].map((server) => server.api.request("POST", `/api/approvals/${approval.id}`, { decision: "allow" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await stream.waitFor(isEnd(executionId));
    expect(readFileSync(join(attempt.directory, "asked.txt"), "utf8")).toBe("asked\n");
    // only the second answers this one
    const again = await first.api.send(task.id, "Again");
    const next = await stream.waitFor(
      ({ event }) => event.type === "approval:requested" && (event as unknown as { approval: Approval }).approval.id !== approval.id,
    );
    await second.api.request("POST", `/api/approvals/${(next.event as unknown as { approval: Approval }).approval.id}`, {
      decision: "allow",
    });
    await stream.waitFor(isEnd(again.executionId));
    stream.close();
  });

  test("[Q5, Q7, Q23] kill -9 in the middle of an execution: the others serve everything, and it continues when the server is back", async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const work = await newAttempt(first, { model });
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await second.api.send(work.task.id, "Go through all steps");
    await stream.waitFor(hasToolOf(work.task));
    await first.kill();
    await waitForState(second, "first", "lost");
    const { messages } = await second.api.conversation(work.task.id);
    expectKept(shownBy(stream, work.task.id).values(), messages);
    const refused = { status: 503, problem: { code: "node-unreachable", name: "first" } };
    await expect(second.api.request("GET", `/api/attempts/${work.attempt.id}/diff`)).rejects.toMatchObject(refused);
    // it waits for the end of the running one
    expect(await second.api.send(work.task.id, "More")).toMatchObject({ queued: expect.any(String) });
    const own = await newAttempt(second, { model });
    const ownEnd = await second.api.send(own.task.id, "Go");
    await stream.waitFor(isEnd(ownEnd.executionId));
    expect(await second.api.executions(work.attempt.id)).toMatchObject([{ status: "running" }]);
    // its agent has finished meanwhile
    await vi.waitFor(() => expect(readFileSync(join(work.attempt.directory, "count.txt"), "utf8")).toBe(counted), {
      timeout: 60_000,
      interval: 200,
    });

    await first.start();
    await stream.waitFor(isEnd(executionId));
    const next = await stream.waitFor(
      ({ event }) => event.type === "execution:started" && event.taskId === work.task.id && event.executionId !== executionId,
    );
    await stream.waitFor(isEnd("executionId" in next.event ? next.event.executionId : undefined));
    expect(await second.api.executions(work.attempt.id)).toMatchObject([{ status: "success", exitCode: 0 }, { status: "success" }]);
    expectOrdered(stream);
    const after = (await first.api.conversation(work.task.id)).messages;
    expectKept(shownBy(stream, work.task.id).values(), after);
    expect(after.filter(({ messageType }) => messageType === "tool_execution")).toHaveLength(2 * steps);
    expect((await second.api.conversation(work.task.id)).messages).toEqual(after);
    stream.close();
  });

  test("[Q21, Q23] a server that is given up: its execution is interrupted once, and its agent is stopped when it is back", async () => {
    const servers = await startNodes(["first", "second", "third"], { databaseUrl: await databases.create(), giveUpMinutes: 0.05 });
    const [first, second, third] = servers;
    if (first === undefined || second === undefined || third === undefined) throw new Error("not started");
    const { task, attempt } = await newAttempt(first, { model: waitingModel });
    const streams = await Promise.all([second, third].map((server) => openEventStream(server.api, { after: 0 })));
    const { executionId } = await first.api.send(task.id, "Wait");
    await streams[0]?.waitFor(hasToolOf(task));
    await second.api.send(task.id, "A message that waits");
    // until then it is only in the log
    await streams[0]?.waitFor((seen) => seen.seq !== undefined && hasToolOf(task)(seen));
    await first.kill();
    await Promise.all(streams.map((stream) => stream.waitFor(isEnd(executionId))));
    expect(await third.api.executions(attempt.id)).toMatchObject([{ status: "interrupted", reasonText: { code: "node-given-up" } }]);
    const { messages, queuePause } = await second.api.conversation(task.id);
    // what was committed is kept
    expectKept(shownBy(streams[0] as EventStream, task.id).values(), messages);
    expect(messages.filter((message) => message.messageType === "tool_execution").map(({ metadata }) => metadata.state)).toEqual([
      "interrupted",
    ]);
    expect(queuePause).toMatchObject({ reason: "interrupted" });
    await waitForState(second, "first", "removed");

    await first.start();
    // its agent would wait forever
    await vi.waitFor(() => expect(existsSync(join(first.home, "run", `${executionId}.sock`))).toBe(false), {
      timeout: 60_000,
      interval: 200,
    });
    await waitForState(second, "first", "active");
    expect(await first.api.executions(attempt.id)).toMatchObject([{ status: "interrupted" }]);
    for (const stream of streams) {
      expect(stream.seen.filter(isEnd(executionId))).toHaveLength(1);
      expectOrdered(stream);
      stream.close();
    }
  });

  test("[Q23] a server that was paused for longer than its lease writes nothing with its old fence, and continues with a new one", async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const { task, attempt } = await newAttempt(first, { model: waitingModel });
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await first.api.send(task.id, "Wait");
    await stream.waitFor(hasToolOf(task));
    process.kill(first.pid, "SIGSTOP");
    await waitForLog(second, "a server is lost");
    writeFileSync(join(attempt.directory, "go"), "");
    const late = first.api.createTask(task.projectId, "From the past").catch((error: unknown) => error);
    process.kill(first.pid, "SIGCONT");
    const refusal = await late;
    // it may have registered again before it handled the request
    if (refusal instanceof Error) expect(refusal).toMatchObject({ status: 503, problem: { cause: "lease-lost" } });
    await waitForState(second, "first", "active");
    await stream.waitFor(isEnd(executionId));
    expect(await second.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
    await waitForLog(first, "this server is registered again");
    await vi.waitFor(async () => expect(await first.api.request<Health>("GET", "/api/health")).toMatchObject({ status: "ready" }), {
      timeout: 30_000,
    });
    expectOrdered(stream);
    stream.close();
  });

  test("[Q16, Q23] a server that is cut off from the database catches up: its clients miss nothing and get nothing twice", async () => {
    const url = await databases.create();
    const proxy = await openCutProxy(url);
    onTestFinished(() => proxy.close());
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: (name) => (name === "first" ? proxy.url : url) });
    if (first === undefined || second === undefined) throw new Error("not started");
    const { task, attempt } = await newAttempt(first, { model });
    const streams = await Promise.all([first, second].map((server) => openEventStream(server.api, { after: 0 })));
    const { executionId } = await second.api.send(task.id, "Go through all steps");
    await streams[0]?.waitFor(hasToolOf(task));
    proxy.cut();
    await waitForState(second, "first", "lost");
    const created = await second.api.createTask(task.projectId, "Meanwhile");
    proxy.restore();
    await Promise.all(streams.map((stream) => stream.waitFor(isEnd(executionId))));
    await Promise.all(streams.map((stream) => stream.waitFor(({ event }) => event.type === "task:created" && event.taskId === created.id)));
    expect(await second.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
    for (const stream of streams) expectOrdered(stream);
    expect(numbersOf(streams[0] as EventStream)).toEqual(numbersOf(streams[1] as EventStream));
    const { messages } = await first.api.conversation(task.id);
    expect(messages.filter(({ messageType }) => messageType === "tool_execution")).toHaveLength(steps);
    for (const stream of streams) stream.close();
  });

  test("[X18] a browser signs in at one with the link of another, is signed in at both, and out at both", async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const { url } = await first.api.request<{ url: string }>("POST", "/api/launch-codes", {});
    const code = new URL(url).hash.slice(1);
    const signIn = (server: RealServer) =>
      fetch(new URL("/api/sessions", server.url), {
        method: "POST",
        headers: { "content-type": "application/json", origin: server.url },
        body: JSON.stringify({ code }),
      });
    const response = await signIn(second);
    expect(response.status).toBe(200);
    const { secret } = sessionSchema.parse(await response.json());
    const value = (response.headers.getSetCookie()[0] ?? "").replace(/^[^=]+=([^;]+);.*$/, "$1");
    expect((await signIn(second)).status).toBe(403);
    expect((await signIn(first)).status).toBe(403);
    // behind a proxy, both have the same address and so the same name of the cookie; here each port has its own
    const read = async (server: RealServer, method = "GET", path = "/api/projects") => {
      const names = (await listCookieNames(server)).map((name) => `${name}=${value}`);
      const headers = { cookie: names.join("; "), [sessionHeader]: secret, origin: server.url, "content-type": "application/json" };
      return (await fetch(new URL(path, server.url), { method, headers, ...(method === "POST" ? { body: "{}" } : {}) })).status;
    };
    expect([await read(first), await read(second)]).toEqual([200, 200]);
    expect(await read(first, "POST", "/api/logout")).toBe(204);
    expect(await read(first)).toBe(401);
    await vi.waitFor(async () => expect(await read(second)).toBe(401), { timeout: 20_000, interval: 100 });
  });

  test(`[Q5, Q21, Q23] ${kills} random kills and pauses of three servers: one order, nothing doubled, every agent runs once`, {
    timeout: 120_000 + kills * 30_000,
  }, async () => {
    const servers = await startNodes(["first", "second", "third"], { databaseUrl: await databases.create() });
    const [first] = servers;
    if (first === undefined) throw new Error("not started");
    const works = await Promise.all(servers.map((server) => newAttempt(server, { model })));
    const any = () => servers[Math.floor(Math.random() * servers.length)] ?? first;
    const ids = await Promise.all(works.map(({ task }) => any().api.send(task.id, "Go through all steps", `cmd_${task.id}`)));
    for (let kill = 0; kill < kills; kill++) {
      const victim = any();
      const witness = servers.find((server) => server !== victim) ?? first;
      const stream = await openEventStream(witness.api, { after: 0 });
      await wait(Math.random() * 500);
      if (Math.random() < 0.7) {
        await victim.kill();
        await witness.api.createTask(works[0]?.task.projectId ?? "", `Meanwhile ${kill}`);
        await victim.start();
      } else {
        process.kill(victim.pid, "SIGSTOP");
        await wait(Math.random() * 1000 * (leaseSeconds + 3));
        process.kill(victim.pid, "SIGCONT");
      }
      // a command whose answer may have been lost, at another server
      const repeated = works[kill % works.length];
      const sent = await witness.api.send(repeated?.task.id ?? "", "Go through all steps", `cmd_${repeated?.task.id}`);
      expect(sent).toEqual(ids[kill % works.length]);
      expectOrdered(stream);
      stream.close();
    }
    const streams = await Promise.all(servers.map((server) => openEventStream(server.api, { after: 0 })));
    for (const stream of streams) for (const { executionId } of ids) await stream.waitFor(isEnd(executionId));
    for (const [index, { task, attempt }] of works.entries()) {
      expect(await any().api.executions(attempt.id)).toMatchObject([{ id: ids[index]?.executionId, status: "success" }]);
      expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe(counted);
      const { messages } = await any().api.conversation(task.id);
      expect(messages.filter(({ messageType }) => messageType === "tool_execution")).toHaveLength(steps);
      for (const stream of streams) expectKept(shownBy(stream, task.id).values(), messages);
    }
    const [one, ...others] = streams.map(numbersOf);
    for (const numbers of others) expect(numbers).toEqual(one);
    for (const stream of streams) {
      expectOrdered(stream);
      for (const { executionId } of ids) expect(stream.seen.filter(isEnd(executionId))).toHaveLength(1);
      stream.close();
    }
  });
});
