import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Approval, Attempt, AttemptDiff, Task } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { isLong } from "./support/long.ts";
import { expectOrdered, leaseSeconds, numbersOf, startNodes, waitForLog, waitForState } from "./support/nodes.ts";
import type { RealServer } from "./support/real-server.ts";
import { listWorkers, type RealWorker, startRealWorker } from "./support/real-worker.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, countedLines, countingEnd, countingSteps, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const kills = isLong ? 40 : 2;
const steps = 5;
const slow = newScriptedModel([...countingSteps(steps), countingEnd]);
const counted = countedLines(steps);
const waiting = newScriptedModel([{ text: "I wait now.", toolCalls: [bashUntilGo] }, { text: "Done." }]);
const asking = newScriptedModel([{ text: "I ask.", toolCalls: [bash("echo asked >> asked.txt")] }, { text: "Done." }]);

interface Work {
  task: Task;
  attempt: Attempt;
}

const isEnd =
  (executionId: string | undefined) =>
  ({ event }: EventStream["seen"][number]): boolean =>
    event.type === "execution:completed" && event.executionId === executionId;

/** `isStored`: committed, not only shown. */
const hasTool =
  ({ task }: Work, isStored = false) =>
  ({ seq, event }: EventStream["seen"][number]): boolean =>
    event.type === "message:added" &&
    event.taskId === task.id &&
    event.message.messageType === "tool_execution" &&
    (!isStored || seq !== undefined);

async function newWork(server: RealServer, worker: RealWorker, model: string, permissionMode: "full" | "ask" = "full"): Promise<Work> {
  const repository = newRepository();
  git(repository, "config", "user.name", "Ada");
  git(repository, "config", "user.email", "ada@example.com");
  const task = await server.api.createTask((await server.api.createProject(repository)).id);
  return { task, attempt: await server.api.createAttempt(task.id, { model, permissionMode, host: worker.name }) };
}

async function start(names: readonly string[], databaseUrl: string): Promise<[RealServer, RealServer, ...RealServer[]]> {
  const [first, second, ...others] = await startNodes(names, { databaseUrl });
  if (first === undefined || second === undefined) throw new Error("not started");
  return [first, second, ...others];
}

/** A worker that knows all servers and connects to the first of them. */
async function startWorkerOf(servers: readonly RealServer[], name = "box"): Promise<RealWorker> {
  const [first, ...others] = servers;
  if (first === undefined) throw new Error("no server");
  return startRealWorker(first, { name, args: others.flatMap(({ url }) => ["--server", url]) });
}

const untilConnected = (server: RealServer, worker: RealWorker) =>
  expect.poll(async () => (await listWorkers(server)).find(({ id }) => id === worker.id)?.isConnected, { timeout: 60_000 }).toBe(true);

const readDiff = async (server: RealServer, { attempt }: Work): Promise<string[]> =>
  (await server.api.request<AttemptDiff>("GET", `/api/attempts/${attempt.id}/diff`)).files.map(({ filePath }) => filePath);

async function expectComplete(server: RealServer, { task, attempt }: Work, streams: readonly EventStream[]): Promise<void> {
  expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe(counted);
  const { messages } = await server.api.conversation(task.id);
  const cards = messages.filter((message) => message.messageType === "tool_execution");
  expect(cards.map(({ metadata }) => metadata.state)).toEqual(Array.from({ length: steps }, () => "completed"));
  for (const stream of streams) {
    expectOrdered(stream);
    expectKept(shownBy(stream, task.id).values(), messages);
  }
}

describe.skipIf(testServerUrl === undefined)("[W2, W3] workers of several servers", () => {
  const databases = createTestDatabases();

  test("kill -9 of the server: the execution on a worker continues under another one, everything works there, and the first catches up", {
    timeout: 240_000,
  }, async () => {
    const [first, second] = await start(["first", "second"], await databases.create());
    const worker = await startWorkerOf([first, second]);
    const work = await newWork(first, worker, slow);
    const { id } = work.attempt;
    const stream = await openEventStream(second.api, { after: 0 });
    const { executionId } = await second.api.send(work.task.id, "Go through all steps");
    await stream.waitFor(hasTool(work));
    await first.kill();
    await stream.waitFor(isEnd(executionId));
    expect(await second.api.executions(id)).toMatchObject([{ status: "success", exitCode: 0 }]);
    await expectComplete(second, work, [stream]);
    expect(stream.seen.filter(isEnd(executionId))).toHaveLength(1);

    // the first is still down
    await waitForState(second, "first", "lost");
    expect(await readDiff(second, work)).toEqual(["count.txt"]);
    expect(await second.api.request("GET", `/api/attempts/${id}/file?path=count.txt`)).toMatchObject({ content: counted });
    await second.api.request("POST", `/api/attempts/${id}/commit`, { message: "Count" });
    await expect(second.api.request("POST", `/api/attempts/${id}/land`, {})).rejects.toMatchObject({
      status: 503,
      problem: { code: "node-unreachable", name: "first" },
    });
    const again = await second.api.send(work.task.id, "Again");
    await stream.waitFor(isEnd(again.executionId));
    expect(await second.api.executions(id)).toMatchObject([{ status: "success" }, { status: "success" }]);
    await second.api.request("POST", `/api/attempts/${id}/commit`, { message: "Count again" });

    await first.start();
    await untilConnected(first, worker);
    await first.api.request("POST", `/api/attempts/${id}/land`, {});
    const { path } = await first.api.request<{ path: string }>("GET", `/api/projects/${work.task.projectId}`);
    expect(git(path, "show", "main:count.txt")).toBe(counted + counted);
    stream.close();
  });

  test("a server that is paused for longer than its lease: another one continues, and approvals and stops are answered there; the first writes nothing", {
    timeout: 240_000,
  }, async () => {
    const [first, second] = await start(["first", "second"], await databases.create());
    const worker = await startWorkerOf([first, second]);
    const [asked, stopped] = [await newWork(first, worker, asking, "ask"), await newWork(first, worker, waiting)];
    const stream = await openEventStream(second.api, { after: 0 });
    const one = await first.api.send(asked.task.id, "Ask me");
    const request = await stream.waitFor(({ event }) => event.type === "approval:requested");
    const two = await first.api.send(stopped.task.id, "Wait");
    await stream.waitFor(hasTool(stopped, true));
    process.kill(first.pid, "SIGSTOP");
    await waitForLog(second, "executions on workers continue under this server");
    const { approval } = request.event as unknown as { approval: Approval };
    await second.api.request("POST", `/api/approvals/${approval.id}`, { decision: "allow" });
    await stream.waitFor(isEnd(one.executionId));
    process.kill(first.pid, "SIGCONT");
    await waitForLog(first, "this server is registered again");
    await first.api.stop(stopped.task.id);
    await stream.waitFor(isEnd(two.executionId));
    expect(await second.api.executions(asked.attempt.id)).toMatchObject([{ status: "success" }]);
    expect(await second.api.executions(stopped.attempt.id)).toMatchObject([{ status: "cancelled" }]);
    expect(readFileSync(join(asked.attempt.directory, "asked.txt"), "utf8")).toBe("asked\n");
    expect(findExecutionProcesses({ executionId: two.executionId ?? "" })).toEqual([]);
    expectOrdered(stream);
    expect(stream.seen.filter(({ event }) => event.type === "execution:completed")).toHaveLength(2);
    expect(readFileSync(join(first.home, "logs", "server.log"), "utf8")).not.toContain("node-given-up");
    stream.close();
  });

  test.each([
    { how: "killed", signal: "SIGKILL" },
    { how: "frozen", signal: "SIGSTOP" },
  ] as const)(
    "a server that is $how: with the lease that is the default, the execution continues under another one within 15 seconds",
    {
      timeout: 240_000,
    },
    async ({ how, signal }) => {
      const environment = { SKEIN_NODE_LEASE_SECONDS: "10" };
      const [first, second] = await startNodes(["first", "second"], { databaseUrl: await databases.create(), environment });
      if (first === undefined || second === undefined) throw new Error("not started");
      const worker = await startWorkerOf([first, second]);
      // a line every second
      const work = await newWork(
        first,
        worker,
        newScriptedModel([...Array.from({ length: 60 }, () => ({ toolCalls: [bash("sleep 1")] })), {}]),
      );
      const stream = await openEventStream(second.api, { after: 0 });
      await second.api.send(work.task.id, "Take your time");
      const isShown = hasTool(work, true);
      const untilCommitted = async (after: number) => {
        await stream.waitFor((one) => isShown(one) && (one.seq ?? 0) > after);
        return performance.now();
      };
      const lastSeq = () => Math.max(0, ...numbersOf(stream));
      await untilCommitted(0);
      // what this machine, with all that runs on it, makes of a second of the agent
      const pauses: number[] = [];
      for (let last = performance.now(), count = 0; count < 3; count++) {
        const now = await untilCommitted(lastSeq());
        pauses.push(now - last);
        last = now;
      }
      const before = lastSeq();
      const at = performance.now();
      process.kill(first.pid, signal);
      const stoodStillMs = (await untilCommitted(before)) - at;
      console.log(`${how}: stood still ${Math.round(stoodStillMs)} ms; before, ${pauses.map(Math.round).join(", ")} ms between two lines`);
      expect(stoodStillMs).toBeLessThan(15_000 + Math.max(...pauses));
      if (signal === "SIGSTOP") process.kill(first.pid, "SIGCONT");
      await second.api.stop(work.task.id);
      await stream.waitFor(({ event }) => event.type === "execution:completed");
      expectOrdered(stream);
      stream.close();
    },
  );

  test("a worker that is connected to another server than its project: everything works over that one, also after it was killed", {
    timeout: 240_000,
  }, async () => {
    const [first, second, third] = await start(["first", "second", "third"], await databases.create());
    if (third === undefined) throw new Error("not started");
    const worker = await startWorkerOf([second, third, first]);
    await Promise.all([first, third].map((server) => untilConnected(server, worker)));
    const work = await newWork(first, worker, slow);
    const stream = await openEventStream(third.api, { after: 0 });
    const { executionId } = await third.api.send(work.task.id, "Go through all steps");
    await stream.waitFor(hasTool(work));
    await second.kill();
    await stream.waitFor(isEnd(executionId));
    await expectComplete(third, work, [stream]);
    await untilConnected(first, worker);
    expect(await readDiff(third, work)).toEqual(["count.txt"]);
    await third.api.request("POST", `/api/attempts/${work.attempt.id}/commit`, { message: "Count" });
    await third.api.request("POST", `/api/attempts/${work.attempt.id}/land`, {});

    // removed at a server that it is not connected to
    const last = await newWork(first, worker, waiting);
    const sent = await first.api.send(last.task.id, "Wait");
    await stream.waitFor(hasTool(last, true));
    await first.api.request("DELETE", `/api/workers/${worker.id}`);
    await stream.waitFor(isEnd(sent.executionId));
    expect(await third.api.executions(last.attempt.id)).toMatchObject([{ status: "interrupted" }]);
    expect(await worker.ended()).toBe(1);
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId: sent.executionId ?? "" })).toEqual([]), {
      timeout: 30_000,
      interval: 200,
    });
    stream.close();
  });

  test(`${kills} random kills and pauses of three servers with two workers: one order, nothing lost or doubled, every agent runs once`, {
    timeout: 180_000 + kills * 40_000,
  }, async () => {
    const servers = await start(["first", "second", "third"], await databases.create());
    const [first, second] = servers;
    const workers = [await startWorkerOf(servers, "box"), await startWorkerOf(servers.toReversed(), "crate")];
    for (const worker of workers) for (const server of servers) await untilConnected(server, worker);
    const works: Work[] = [];
    for (const [index, worker] of workers.entries()) works.push(await newWork(index === 0 ? first : second, worker, slow));
    const any = () => servers[Math.floor(Math.random() * servers.length)] ?? first;
    const ids: { executionId?: string | undefined }[] = [];
    for (const { task } of works) ids.push(await any().api.send(task.id, "Go through all steps", `cmd_${task.id}`));
    for (let kill = 0; kill < kills; kill++) {
      const victim = any();
      const witness = servers.find((server) => server !== victim) ?? first;
      const stream = await openEventStream(witness.api, { after: 0 });
      await wait(Math.random() * 500);
      if (Math.random() < 0.6) {
        await victim.kill();
        await wait(Math.random() * 1000 * (leaseSeconds + 3));
        await victim.start();
      } else {
        process.kill(victim.pid, "SIGSTOP");
        await wait(Math.random() * 1000 * (leaseSeconds + 5));
        process.kill(victim.pid, "SIGCONT");
      }
      expectOrdered(stream);
      stream.close();
    }
    const streams = await Promise.all(servers.map((server) => openEventStream(server.api, { after: 0 })));
    for (const stream of streams) for (const { executionId } of ids) await stream.waitFor(isEnd(executionId));
    for (const [index, work] of works.entries()) {
      expect(await any().api.executions(work.attempt.id)).toMatchObject([{ id: ids[index]?.executionId, status: "success" }]);
      await expectComplete(any(), work, streams);
    }
    const [one, ...others] = streams.map(numbersOf);
    for (const numbers of others) expect(numbers).toEqual(one);
    for (const stream of streams) {
      for (const { executionId } of ids) expect(stream.seen.filter(isEnd(executionId))).toHaveLength(1);
      stream.close();
    }
    for (const { home } of workers) expect(existsSync(join(home, "executions"))).toBe(true);
  });
});
