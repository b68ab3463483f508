import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Execution, ServerNode } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { expectOrdered, listNodes, startNodes } from "./support/nodes.ts";
import type { RealServer } from "./support/real-server.ts";
import { listWorkers, startRealWorker } from "./support/real-worker.ts";
import { newRepository } from "./support/repository.ts";
import { bashUntilGo, newScriptedModel } from "./support/scripts.ts";

const waiting = newScriptedModel([{ text: "I wait now.", toolCalls: [bashUntilGo] }, { text: "Done." }]);
const quick = newScriptedModel([{ text: "Done." }]);

const isEnd =
  (executionId: string | undefined) =>
  ({ event }: EventStream["seen"][number]): boolean =>
    event.type === "execution:completed" && event.executionId === executionId;

const isTool = ({ seq, event }: EventStream["seen"][number]): boolean =>
  seq !== undefined && event.type === "message:added" && event.message.messageType === "tool_execution";

async function findNode(server: RealServer, name: string): Promise<ServerNode> {
  const node = (await listNodes(server)).find((one) => one.name === name);
  if (node === undefined) throw new Error(`no server ${name}`);
  return node;
}

const waitForNode = (server: RealServer, name: string, expected: object) =>
  vi.waitFor(async () => expect(await findNode(server, name)).toMatchObject(expected), { timeout: 60_000, interval: 200 });

const nodes = (server: RealServer, ...args: string[]) =>
  promisify(execFile)(process.execPath, [skeinProgram, "nodes", ...args, "--home", server.home], { timeout: 120_000 });

describe.skipIf(testServerUrl === undefined)("[W2] a server that is drained", () => {
  const databases = createTestDatabases();

  test("starts no agents and takes no projects; what runs finishes, it says when it can be stopped, and what waits starts when it is back", {
    timeout: 240_000,
  }, async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const project = await first.api.createProject(newRepository());
    const running = await first.api.createTask(project.id, "Runs");
    const attempt = await first.api.createAttempt(running.id, { model: waiting });
    const later = await first.api.createTask(project.id, "Waits");
    const laterAttempt = await first.api.createAttempt(later.id, { model: quick });
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await second.api.send(running.id, "Wait");
    await stream.waitFor(isTool);

    // at another server than the drained one
    const { id } = await findNode(second, "first");
    expect(await second.api.request("PATCH", `/api/nodes/${id}`, { draining: true })).toMatchObject({ isDraining: true, canStop: false });
    await waitForNode(second, "first", { state: "active", isDraining: true, canStop: false, drain: { agents: 1, waiting: 0 } });
    const sent = await second.api.send(later.id, "Go");
    await waitForNode(second, "first", { canStop: false, drain: { agents: 1, waiting: 1 } });
    const [held] = await second.api.request<Execution[]>("GET", `/api/attempts/${laterAttempt.id}/executions`);
    expect(held).toMatchObject({ id: sent.executionId, status: "running", wait: { for: "server", name: "first" } });
    await expect(first.api.createProject(newRepository())).rejects.toMatchObject({
      status: 409,
      problem: { code: "node-draining", name: "first" },
    });
    await second.api.createProject(newRepository());

    writeFileSync(join(attempt.directory, "go"), "");
    await stream.waitFor(isEnd(executionId));
    await waitForNode(second, "first", { canStop: true, drain: { agents: 0, waiting: 1 } });
    // it stays drained after an upgrade, until it is activated
    await first.stop();
    await first.start();
    await waitForNode(second, "first", { state: "active", isDraining: true, drain: { agents: 0, waiting: 1 } });
    await nodes(second, "undrain", "first");
    await stream.waitFor(isEnd(sent.executionId));
    expect(await second.api.executions(laterAttempt.id)).toMatchObject([{ status: "success" }]);
    expect(await second.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);
    await waitForNode(second, "first", { isDraining: false, drain: null, canStop: false });
    expectOrdered(stream);
    stream.close();
  });

  test("[W3] hands over its workers and their executions, so that it can be stopped while their agents run", {
    timeout: 240_000,
  }, async () => {
    const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create() });
    if (first === undefined || second === undefined) throw new Error("not started");
    const worker = await startRealWorker(first, { args: ["--server", second.url] });
    const lonely = await startRealWorker(first, { name: "lonely" });
    await expect.poll(async () => (await listWorkers(second)).filter(({ isConnected }) => isConnected).length, { timeout: 60_000 }).toBe(2);
    const task = await first.api.createTask((await first.api.createProject(newRepository())).id, "Elsewhere");
    const attempt = await first.api.createAttempt(task.id, { model: waiting, host: worker.name });
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await first.api.send(task.id, "Wait");
    await stream.waitFor(isTool);
    await waitForNode(second, "first", { runningExecutions: 1 });

    const { stdout } = await nodes(second, "drain", "first", "--wait");
    expect(stdout).toContain("first can be stopped now.");
    // it knows no other server, and comes back
    await waitForNode(second, "first", { canStop: true, drain: { following: 0, workers: 1 } });
    expect(await findNode(second, "first")).toMatchObject({ runningExecutions: 0 });
    expect(await findNode(second, "second")).toMatchObject({ runningExecutions: 1 });
    await first.stop();
    writeFileSync(join(attempt.directory, "go"), "");
    await stream.waitFor(isEnd(executionId));
    expect(await second.api.executions(attempt.id)).toMatchObject([{ status: "success", exitCode: 0 }]);
    const { messages } = await second.api.conversation(task.id);
    expect(messages.filter(({ messageType }) => messageType === "tool_execution")).toHaveLength(1);
    expect(stream.seen.filter(isEnd(executionId))).toHaveLength(1);
    expectOrdered(stream);
    stream.close();
    await lonely.kill();
  });
});
