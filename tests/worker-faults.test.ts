import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, Execution, WorkerInvitation } from "@skein/contracts";
import { expect, test } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { newEditingAgent } from "./support/editing-agent.ts";
import { openEventStream } from "./support/event-stream.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { listWorkers, type RealWorker, startNetwork, startRealWorker } from "./support/real-worker.ts";
import { newRepository } from "./support/repository.ts";
import { bashUntilGo, countingEnd, countingSteps, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const steps = 6;
/** Each command appends one line; texts stream slowly enough to be cut anywhere. */
const slow = newScriptedModel([
  ...countingSteps(steps),
  // so that it is still running, however slow the machine is
  { toolCalls: [bashUntilGo] },
  countingEnd,
]);
const waiting = newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Went." }]);

async function openTask(server: RealServer, worker: RealWorker, model: string, agent = "native") {
  const { api } = server;
  const project = await api.createProject(newRepository());
  const task = await api.createTask(project.id);
  const attempt = await api.createAttempt(task.id, {
    agent,
    ...(agent === "native" ? { model } : {}),
    permissionMode: "full",
    host: worker.name,
  });
  return { project, task, attempt };
}

const isConnected = async (server: RealServer) => (await listWorkers(server)).map((worker) => worker.isConnected);

test("[W3] cut connections, kill -9 of the server and of the worker: nothing is lost or doubled, the agent is not disturbed", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const network = await startNetwork(server.url);
  const worker = await startRealWorker(server, { url: network.url, environment: {} });
  const { task, attempt } = await openTask(server, worker, slow);
  const { executionId } = await server.api.send(task.id, "Go through all steps");
  const file = join(attempt.directory, "count.txt");
  const reached = (step: number) =>
    expect
      .poll(() => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0), { timeout: 60_000 })
      .toBeGreaterThan(step);

  const stream = await openEventStream(server.api, { after: 0 });
  await reached(0);
  network.cut();
  await expect.poll(() => isConnected(server)).toEqual([false]);
  await wait(300);
  network.restore();
  await worker.connected();

  await reached(1);
  await server.kill();
  await stream.ended;
  await server.start();
  expectKept(shownBy(stream, task.id).values(), [...shownBy(stream, task.id).values()]);

  await reached(2);
  await worker.kill();
  await expect.poll(() => isConnected(server)).toEqual([false]);
  expect(findExecutionProcesses({ executionId: executionId ?? "" }).length).toBeGreaterThan(0);
  await worker.start();
  await worker.connected();
  writeFileSync(join(attempt.directory, "go"), "");

  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success", exitCode: 0 });
  expect(readFileSync(file, "utf8")).toBe(Array.from({ length: steps }, (_, step) => `${step}\n`).join(""));
  const { messages } = await server.api.conversation(task.id);
  expectKept(shownBy(stream, task.id).values(), messages);
  const cards = messages.filter((message) => message.messageType === "tool_execution");
  expect(cards.map(({ metadata }) => metadata.state)).toEqual(Array.from({ length: steps + 1 }, () => "completed"));
  const after = await openEventStream(server.api, { after: 0 });
  await after.waitFor(({ event }) => event.type === "execution:completed");
  const ends = after.seen.filter(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  expect(ends).toHaveLength(1);
});

test("[W3] an agent that ends while nobody listens: its end, and the files that it left, arrive later; a stop does, too", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const network = await startNetwork(server.url);
  const worker = await startRealWorker(server, { url: network.url });
  const { task, attempt } = await openTask(server, worker, waiting);
  const { executionId } = await server.api.send(task.id, "Wait");
  await expect.poll(() => findExecutionProcesses({ executionId: executionId ?? "" }).length, { timeout: 60_000 }).toBeGreaterThan(1);
  network.cut();
  await expect.poll(() => isConnected(server)).toEqual([false]);
  writeFileSync(join(attempt.directory, "go"), "");
  await expect.poll(() => existsSync(join(worker.home, "executions", executionId ?? "", "exit.json")), { timeout: 60_000 }).toBe(true);
  expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "running" }]);
  network.restore();
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
  const { files } = await server.api.request<{ files: { filePath: string }[] }>("GET", `/api/executions/${executionId}/diff`);
  expect(files.map(({ filePath }) => filePath)).toEqual(["go"]);

  // a stop while it is offline, also if the server is killed before it is back
  for (const isKilled of [false, true]) {
    const next = await openTask(server, worker, waiting);
    const sent = await server.api.send(next.task.id, "Wait");
    await expect.poll(() => findExecutionProcesses({ executionId: sent.executionId ?? "" }).length, { timeout: 60_000 }).toBeGreaterThan(1);
    network.cut();
    await expect.poll(() => isConnected(server)).toEqual([false]);
    await server.api.stop(next.task.id);
    if (isKilled) {
      await server.kill();
      await server.start();
    }
    network.restore();
    expect(await waitForEnd(server, next.attempt.id, sent.executionId)).toMatchObject({ status: "cancelled" });
  }
});

test("[W3] a message waits for a worker that is busy, draining or offline, and says so; drained ones are not chosen", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const worker = await startRealWorker(server, { args: ["--capacity", "1"] });
  const first = await openTask(server, worker, waiting);
  const one = await api.send(first.task.id, "Wait");
  await expect.poll(() => findExecutionProcesses({ executionId: one.executionId ?? "" }).length, { timeout: 60_000 }).toBeGreaterThan(1);
  const second = await openTask(server, worker, newScriptedModel([{ text: "Done." }]));
  const two = await api.send(second.task.id, "Go");
  const counts = async () => (await listWorkers(server)).map(({ running, waiting: queued }) => [running, queued]);
  await expect.poll(counts, { timeout: 60_000 }).toEqual([[1, 1]]);
  await api.request("PATCH", `/api/workers/${worker.id}`, { state: "draining" });
  await expect(openTask(server, worker, waiting)).rejects.toMatchObject({ problem: { code: "host-not-found" } });
  writeFileSync(join(first.attempt.directory, "go"), "");
  expect(await waitForEnd(server, first.attempt.id, one.executionId)).toMatchObject({ status: "success" });
  await expect.poll(counts, { timeout: 60_000 }).toEqual([[0, 1]]);
  await worker.kill();
  await expect.poll(() => isConnected(server)).toEqual([false]);
  await api.request("PATCH", `/api/workers/${worker.id}`, { state: "active" });
  await worker.start();
  expect(await waitForEnd(server, second.attempt.id, two.executionId)).toMatchObject({ status: "success" });
  expect(await counts()).toEqual([[0, 0]]);
});

test("[W3] a removed worker: its executions are interrupted and never run again, its agents end, its credential is useless", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const worker = await startRealWorker(server);
  const { task, attempt } = await openTask(server, worker, waiting);
  const { executionId } = await api.send(task.id, "Wait");
  await expect.poll(() => findExecutionProcesses({ executionId: executionId ?? "" }).length, { timeout: 60_000 }).toBeGreaterThan(1);
  await api.request("DELETE", `/api/workers/${worker.id}`);
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "interrupted" });
  expect(await worker.ended()).toBe(1);
  await expect.poll(() => findExecutionProcesses({ executionId: executionId ?? "" }).length, { timeout: 30_000 }).toBe(0);
  expect(await listWorkers(server)).toEqual([]);
  const credential = (JSON.parse(readFileSync(join(worker.home, "worker.json"), "utf8")) as { credential: string }).credential;
  expect(await openLink(server, { authorization: `Bearer ${credential}` })).toBe(401);
  // the server has nothing but the branch: it can be continued from there
  await expect(api.request("GET", `/api/attempts/${attempt.id}/file?path=go`)).rejects.toMatchObject({ problem: { code: "host-removed" } });
  const moved = await api.request<{ directory: string }>("POST", `/api/attempts/${attempt.id}/move`, { host: null });
  expect(existsSync(join(moved.directory, "README.md"))).toBe(true);
  expect(await api.executions(attempt.id)).toHaveLength(1);
  await server.kill();
  await server.start();
  expect(await server.api.executions(attempt.id)).toHaveLength(1);
});

/** The status of an attempt to open a worker's connection. */
function openLink(server: RealServer, headers: Record<string, string>, path = "/api/workers/link"): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, headers: { ...upgrade, ...headers } });
    sent.on("response", (response) => resolve(response.resume().statusCode));
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("[W3, X1] a connection needs a worker's credential, our host and no foreign origin; a code works once", {
  timeout: 120_000,
}, async () => {
  const server = await startRealServer();
  const worker = await startRealWorker(server);
  const { credential } = JSON.parse(readFileSync(join(worker.home, "worker.json"), "utf8")) as { credential: string };
  const own = { authorization: `Bearer ${credential}` };
  expect(await openLink(server, own)).toBe(101);
  expect(await openLink(server, {})).toBe(401);
  expect(await openLink(server, { authorization: server.api.headers.authorization })).toBe(401);
  expect(await openLink(server, { ...own, host: "evil.example" })).toBe(403);
  expect(await openLink(server, { ...own, origin: "https://evil.example" })).toBe(403);
  expect(await openLink(server, { ...own, origin: server.url })).toBe(401);
  expect(await openLink(server, own, "/api/tasks")).toBe(401);
  // for other servers of the same database only
  expect(await openLink(server, { ...own, "x-skein-node": "" }, `/api/nodes/workers/${worker.id}/link`)).toBe(401);
  // it opens nothing else
  await expect(fetch(new URL("/api/tasks", server.url), { headers: own })).resolves.toMatchObject({ status: 401 });

  const { code } = await server.api.request<WorkerInvitation>("POST", "/api/workers", {});
  const enrol = (credentialOf: string) =>
    fetch(new URL("/api/workers/enrolments", server.url), {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify({ code, credential: credentialOf, report: { name: "x", tags: [], capacity: 1, version: "1" } }),
    });
  const [mine, other] = ["a".repeat(43), "b".repeat(43)];
  expect([(await enrol(mine)).status, (await enrol(mine)).status, (await enrol(other)).status]).toEqual([201, 201, 403]);
  // guesses from one address are limited, and a valid code from there has to wait as well
  const guess = (attempt: number) => enrol(`${attempt}`.padStart(43, "c"));
  const guesses = await Promise.all(Array.from({ length: 40 }, (_, attempt) => guess(attempt)));
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([403, 429]));
  const limited = await enrol(mine);
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.toSatisfy((seconds: number) => seconds > 0)]);
  // the server keeps no secret of it
  expect(JSON.stringify(await listWorkers(server))).not.toContain(credential);
});

test("[W3, W4] an agent of the worker, found there and started with its login: its questions are answered through the server", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const worker = await startRealWorker(server);
  // only the worker's config.json has it
  const calls = [{ title: "Write a file", rawInput: { path: "a.txt" }, locations: [{ path: "a.txt" }] }];
  await worker.stop();
  writeFileSync(
    join(worker.home, "config.json"),
    JSON.stringify({ agents: { "acp:editor": { command: newEditingAgent(calls), environment: { SECRET: "of the worker" } } } }),
  );
  writeFileSync(join(server.home, "config.json"), JSON.stringify({ agents: { "acp:editor": { command: ["/nowhere/editor"] } } }));
  await server.stop();
  await server.start();
  await worker.start();
  const { agents } = await worker.connected();
  expect(agents.find(({ id }) => id === "acp:editor")).toMatchObject({ available: true });
  const project = await server.api.createProject(newRepository());
  const { attempt, executionId } = await server.api.request<{ attempt: { id: string }; executionId: string }>("POST", "/api/starts", {
    ...{ id: "start-1", task: { projectId: project.id }, message: "Edit" },
    attempt: { agent: "acp:editor", permissionMode: "ask", host: worker.id },
  });
  const listPending = () => server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
  await expect.poll(async () => (await listPending()).length, { timeout: 60_000 }).toBe(1);
  const [approval] = await listPending();
  await server.api.request("POST", `/api/approvals/${approval?.id}`, { decision: "allow" });
  const ended: Execution = await waitForEnd(server, attempt.id, executionId);
  expect(ended).toMatchObject({ status: "success" });
  expect(api.url).toBe(server.api.url);
});
