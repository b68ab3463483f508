import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ExecutionId, Health } from "@skein/contracts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createExecutionFolder } from "../packages/host/src/runner/execution-folder.ts";
import { findExecutionProcesses, killExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { startRunner } from "../packages/host/src/runner/start-runner.ts";
import { newDriverOrder } from "./support/driver-order.ts";
import { openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { canMountDisks, mountSmallDisk, type SmallDisk } from "./support/small-disk.ts";

const wait = { timeout: 60_000, interval: 200 };
/** Each of these starts several servers and runs several agents. */
const slow = { timeout: 300_000 };

/** A server whose data dir is a small disk of its own. */
async function startOnSmallDisk(limits: { megabytes: number; inodes?: number }, environment: Record<string, string> = {}) {
  const disk = mountSmallDisk(limits);
  const home = join(disk.path, "home");
  mkdirSync(home);
  const server = await startRealServer({ home, environment });
  return { disk, server };
}

async function createWork(server: RealServer, model: string) {
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id);
  const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
  return { project, task, attempt };
}

const health = (server: RealServer): Promise<Health> => server.api.request<Health>("GET", "/api/health");
const becomes = (server: RealServer, expected: object) =>
  vi.waitFor(async () => expect(await health(server)).toMatchObject(expected), wait);
const isHealth = (event: object, status: Health["status"]) => "status" in event && event.status === status;
const isReady = (server: RealServer) => becomes(server, { status: "ready" });
const isDegraded = (server: RealServer, cause: string) => becomes(server, { status: "degraded", problem: { cause } });

const problemOf = async (work: Promise<unknown>) =>
  (
    await work.then(
      () => undefined,
      (error) => error,
    )
  )?.problem;

/** The response to a request that has to store something. */
async function expectRefused(server: RealServer, projectId: string, cause: string, texts: RegExp): Promise<void> {
  const large = "x".repeat(90_000); // more than fits into the pages that the database has already allocated
  const refused = await vi.waitFor(async () => {
    const problem = await problemOf(server.api.request("POST", "/api/tasks", { projectId, title: "One more", description: large }));
    expect(problem).toMatchObject({ status: 503 });
    return problem;
  }, wait);
  expect(refused).toMatchObject({ status: 503, code: "storage-unavailable", cause, title: "Service Unavailable" });
  expect(refused.detail).toMatch(texts);
}

const ended = (server: RealServer, attemptId: string, statuses: string[]) =>
  vi.waitFor(async () => expect((await server.api.executions(attemptId)).map(({ status }) => status)).toEqual(statuses), wait);

const finished = newScriptedModel([{ text: "The work is done." }]);

async function expectWorks(server: RealServer, projectId: string): Promise<void> {
  await isReady(server);
  const task = await server.api.createTask(projectId, "Afterwards");
  const attempt = await server.api.createAttempt(task.id, { model: finished });
  await server.api.send(task.id, "go");
  await ended(server, attempt.id, ["success"]);
}

describe.skipIf(!canMountDisks)("a full disk", () => {
  test(
    "[Q16] the agent that fills it can be stopped, the server responds, and everything continues when there is space",
    slow,
    async () => {
      const { disk, server } = await startOnSmallDisk({ megabytes: 24 });
      const filling = newScriptedModel([{ text: "Filling.", toolCalls: [bash("cat /dev/zero > zeros; touch full; sleep 600")] }]);
      const { project, task, attempt } = await createWork(server, filling);
      const stream = await openEventStream(server.api);
      const { executionId = "" } = await server.api.send(task.id, "fill it");
      await vi.waitFor(() => expect(existsSync(join(attempt.directory, "full"))).toBe(true), wait);
      disk.fill(); // the space that the tool left

      await expectRefused(server, project.id, "disk-full", /The disk is full\. .*Free some space/);
      await isDegraded(server, "disk-full");
      await stream.waitFor(({ event }) => isHealth(event, "degraded"));
      expect((await server.api.conversation(task.id)).messages.length).toBeGreaterThan(1);

      expect(await server.api.request("POST", "/api/commands", { id: "stop-it", type: "STOP_EXECUTION", taskId: task.id })).toEqual({
        executionId,
      });
      await vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]), wait);

      disk.free();
      execFileSync("rm", [join(attempt.directory, "zeros")]);
      // by itself: nobody asks for its health
      await stream.waitFor(({ event }) => isHealth(event, "ready"));
      await isReady(server);
      await ended(server, attempt.id, ["cancelled"]);
      expect((await server.api.conversation(task.id)).messages.map(({ content }) => content).join("\n")).toContain("Filling.");
      await expectWorks(server, project.id);
      stream.close();
    },
  );

  test.each(["a clean stop", "a kill"])(
    "[Q16] after %s the server starts on it, shows everything, and recovers by itself",
    slow,
    async (end) => {
      const { disk, server } = await startOnSmallDisk({ megabytes: 16 });
      const { project, task, attempt } = await createWork(server, finished);
      await server.api.send(task.id, "Say it");
      await ended(server, attempt.id, ["success"]);
      if (end === "a kill") {
        disk.fill();
        await server.kill();
      } else {
        await server.stop();
        disk.fill();
      }

      await server.start();
      await vi.waitFor(() => expect(server.output).toMatch(/The disk is full\..*Free some space/s), wait);
      expect((await server.api.conversation(task.id)).messages.map(({ content }) => content)).toContain("The work is done.");
      expect(await server.api.request("GET", `/api/tasks?projectId=${project.id}`)).toMatchObject([{ id: task.id }]);
      await isDegraded(server, "disk-full");
      await expectRefused(server, project.id, "disk-full", /Free some space/);
      await expectSignIn(server);

      disk.free();
      await expectWorks(server, project.id);
      expect(await server.api.request("GET", `/api/search?q=Afterwards`)).toMatchObject({ hits: [{}] });
      const record = await vi.waitFor(() => JSON.parse(readFileSync(join(server.home, "server.json"), "utf8")), wait);
      expect(record).toMatchObject({ url: server.url, pid: server.pid });
    },
  );

  test("[Q16] a message whose agent cannot be started waits for space, and can be stopped meanwhile", slow, async () => {
    const { disk, server } = await startOnSmallDisk({ megabytes: 16, inodes: 4000 });
    const { task, attempt } = await createWork(server, finished);
    const other = await server.api.createTask(task.projectId);
    const otherAttempt = await server.api.createAttempt(other.id, { model: finished });
    disk.useUpInodes(); // the database has enough files and space
    await server.api.send(task.id, "Wait for it");
    await server.api.send(other.id, "Not this one");
    await isDegraded(server, "out-of-inodes");
    await server.api.stop(other.id);
    await ended(server, otherAttempt.id, ["cancelled"]);
    expect((await server.api.executions(attempt.id)).map(({ status }) => status)).toEqual(["running"]);
    disk.free();
    await ended(server, attempt.id, ["success"]);
    expect((await server.api.executions(otherAttempt.id)).map(({ status }) => status)).toEqual(["cancelled"]);
  });

  test("[Q16] a message whose agent has no space for its log waits for it, while the database can be written", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 1 });
    const home = newFolder("home");
    const server = await startRealServer({ home });
    const { task, attempt } = await createWork(server, finished);
    symlinkSync(disk.path, join(home, "executions"));
    disk.fill();
    await server.api.send(task.id, "Wait for it");
    const log = () => readFileSync(join(home, "logs", "server.log"), "utf8");
    await vi.waitFor(() => expect(log().split("agent could not be started yet").length).toBeGreaterThan(2), wait);
    expect((await server.api.executions(attempt.id)).map(({ status }) => status)).toEqual(["running"]);
    disk.free();
    await ended(server, attempt.id, ["success"]);
  });

  test("[Q16] a disk that gets full while a worktree is made is left without its branch, whatever still fitted", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 8 });
    const repository = join(disk.path, "repository");
    cpSync(newRepository(), repository, { recursive: true });
    const server = await startRealServer();
    const project = await server.api.createProject(repository);
    const task = await server.api.createTask(project.id);
    const listBranches = () => git(repository, "branch", "--list", "skein/*").trim();
    disk.fill();
    const zeros = join(disk.path, "filler", "zeros");
    const { size } = statSync(zeros);
    let failures = 0;
    for (let isMade = false, pages = 0; !isMade; pages++) {
      truncateSync(zeros, size - pages * 4096);
      const problem = await problemOf(server.api.createAttempt(task.id, { model: finished }));
      isMade = problem === undefined;
      if (isMade) break;
      failures++;
      expect(problem).toMatchObject({ status: 503, cause: "disk-full" });
      expect(listBranches(), `${pages} pages were free`).toBe("");
    }
    expect(failures).toBeGreaterThan(2);
    expect(listBranches()).not.toBe("");
  });

  test("[Q16] without free inodes the server starts, reports it, and recovers", slow, async () => {
    const { disk, server } = await startOnSmallDisk({ megabytes: 16, inodes: 4000 });
    const { project, task, attempt } = await createWork(server, finished);
    await server.api.send(task.id, "Say it");
    await ended(server, attempt.id, ["success"]);
    await server.stop();
    disk.useUpInodes();
    await server.start();
    await vi.waitFor(() => expect(server.output).toMatch(/out of inodes/), wait);
    expect((await server.api.conversation(task.id)).messages.map(({ content }) => content)).toContain("The work is done.");
    await isDegraded(server, "out-of-inodes");
    await expectRefused(server, project.id, "out-of-inodes", /Delete files/);
    disk.free();
    await expectWorks(server, project.id);
  });
});

/** A browser can sign in, although its session cannot be stored. */
async function expectSignIn(server: RealServer): Promise<void> {
  const { url: link } = await server.api.request<{ url: string }>("POST", "/api/launch-codes", {});
  const answer = await fetch(`${server.url}/api/sessions`, {
    method: "POST",
    headers: { origin: server.url, "content-type": "application/json" },
    body: JSON.stringify({ code: new URL(link).hash.slice(1) }),
  });
  expect(answer.status).toBe(200);
  const { secret } = (await answer.json()) as { secret: string };
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const listed = await fetch(`${server.url}/api/projects`, { headers: { cookie, "skein-session": secret, origin: server.url } });
  expect(listed.status).toBe(200);
}

describe.skipIf(!canMountDisks)("a read-only disk", () => {
  test.each(["a clean stop", "a kill"])(
    "[Q16] after %s the server starts on it, shows everything, and writes again when it may",
    slow,
    async (end) => {
      const { disk, server } = await startOnSmallDisk({ megabytes: 16 });
      const { project, task, attempt } = await createWork(server, finished);
      await server.api.send(task.id, "Say it");
      await ended(server, attempt.id, ["success"]);
      // after a kill, everything is in the WAL only
      if (end === "a kill") await server.kill();
      else await server.stop();
      await disk.setReadOnly(true);
      await server.start();
      await vi.waitFor(() => expect(server.output).toMatch(/The disk is read-only\./), wait);
      expect((await server.api.conversation(task.id)).messages.map(({ content }) => content)).toContain("The work is done.");
      await isDegraded(server, "read-only");
      await expectRefused(server, project.id, "read-only", /Mount the disk .* writable/);
      await expectSignIn(server);
      await disk.setReadOnly(false);
      await expectWorks(server, project.id);
    },
  );

  test("[Q16] of two servers that started on it, one writes when it may, and the other one is told so", slow, async () => {
    const { disk, server } = await startOnSmallDisk({ megabytes: 16 });
    const { project } = await createWork(server, finished);
    await server.stop();
    await disk.setReadOnly(true);
    // neither can know of the other: nothing can be written
    const servers = [server, await startRealServer({ home: server.home })];
    await server.start();
    for (const one of servers) await isDegraded(one, "read-only");
    await disk.setReadOnly(false);
    await isReady(server);
    await server.api.createTask(project.id, "Written");
    const [, other = server] = servers;
    await isDegraded(other, "busy");
    await expectRefused(other, project.id, "busy", /locked by another program/);
  });
});

describe.skipIf(process.platform !== "linux")("too many open files", () => {
  const limit = (pid: number, files: number) => void execFileSync("prlimit", ["--pid", String(pid), `--nofile=${files}:`]);

  test("[Q16] no more files can be opened: requests are refused with the cause, and the server keeps running", slow, async () => {
    const server = await startRealServer();
    const { project, task, attempt } = await createWork(server, finished);
    const before = /Max open files\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/limits`, "utf8"))?.[1];
    // an existing connection: a new one could not be accepted
    const connection = openConnection(server);
    expect(await connection.post("/api/tasks", { projectId: project.id, title: "Before" })).toMatchObject({ status: 201 });
    limit(server.pid, 8);
    const refused = await connection.post("/api/projects", { path: newRepository() });
    expect(refused).toMatchObject({ status: 503, problem: { code: "storage-unavailable", cause: "too-many-open-files" } });
    const command = { id: "only-once", type: "SEND_MESSAGE", taskId: task.id, message: "go" };
    expect([200, 503]).toContain((await connection.post("/api/commands", command)).status);
    limit(server.pid, Number(before));
    expect(await connection.post("/api/commands", command)).toMatchObject({ status: 200 }); // does nothing if it was accepted before
    connection.close();
    await ended(server, attempt.id, ["success"]);
    await expectWorks(server, project.id);
  });

  test("[Q16] with `ulimit -n 64` the server survives more clients than it can hold, and works", slow, async () => {
    const server = await startRealServer({ openFiles: 64 });
    const { project } = await createWork(server, finished);
    const clients = await Promise.allSettled(Array.from({ length: 80 }, () => openEventStream(server.api)));
    for (const client of clients) if (client.status === "fulfilled") client.value.close();
    // barely enough files for git and an agent: a request may be refused with the cause, and works when retried
    const retried = { timeout: 60_000, interval: 300 };
    const task = await vi.waitFor(() => server.api.createTask(project.id), retried);
    const attempt = await vi.waitFor(() => server.api.createAttempt(task.id, { model: finished }), retried);
    await vi.waitFor(() => server.api.send(task.id, "go", "only-once"), retried);
    await ended(server, attempt.id, ["success"]);
    await isReady(server);
  });
});

describe.skipIf(!canMountDisks).each(["a program of ours", "a program with a driver"])("the runner of %s on a full disk", (kind) => {
  /** An agent that waits for the file `go` next to it, outside the full disk. */
  async function startAgent(disk: SmallDisk, script: string, fill: "fill" | "useUpInodes" = "fill") {
    const outside = newFolder("outside");
    const folder = createExecutionFolder(join(disk.path, "execution"));
    const executionId = `exe_faults${process.pid}x${++agents}`;
    onTestFinished(() => killExecutionProcesses({ executionId }));
    await startRunner({
      executionId,
      folder: folder.path,
      socket: join(outside, "s.sock"),
      controlKey: "the key",
      cwd: outside,
      environment: { PATH: process.env.PATH ?? "" },
      preamble: { notices: [] },
      ...toAgent(["/bin/bash", "--norc", "-c", `until [ -e go ]; do sleep 0.05; done; ${script}`], outside, executionId),
    });
    await vi.waitFor(() => expect(readFileSync(folder.log, "utf8")).toContain("agent-started"), wait);
    disk[fill]();
    writeFileSync(join(outside, "go"), "");
    return { folder, outside, executionId };
  }
  function toAgent(command: readonly [string, ...string[]], directory: string, executionId: string) {
    const [program, ...args] = command;
    if (kind === "a program of ours") return { program, args, stdin: "" };
    return { driverOrder: JSON.stringify(newDriverOrder({ command, directory, executionId: executionId as ExecutionId })) };
  }
  /** Resolves when the agent is gone, and nothing but the disk keeps its runner. */
  async function untilWaiting(socket: string): Promise<void> {
    const connection = connect(socket).setEncoding("utf8");
    let reported = "";
    connection.on("data", (text) => (reported += text));
    await vi.waitFor(() => expect(reported).toContain('"waiting"'), wait);
    connection.destroy();
  }
  let agents = 0;
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join("");
  const exited = (file: string) => vi.waitFor(() => JSON.parse(readFileSync(file, "utf8")), wait);

  test("[Q16] the agent blocks on its pipes, and none of its output is lost", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 4 });
    const { folder, outside } = await startAgent(
      disk,
      "seq 1 5000; seq 1 5000 >&2; touch blocked; seq 5001 60000; seq 5001 60000 >&2; exit 3",
    );
    await vi.waitFor(() => expect(existsSync(join(outside, "blocked"))).toBe(true), wait);
    expect(existsSync(folder.exit)).toBe(false);
    disk.free();
    expect(await exited(folder.exit)).toMatchObject({ exitCode: 3 });
    expect(readFileSync(folder.log, "utf8").split('agent-started"}\n')[1]).toBe(numbers(1, 60_000));
    expect(readFileSync(folder.stderr, "utf8")).toBe(numbers(1, 60_000));
    expect(statSync(folder.times).size % 16).toBe(0);
  });

  test("[Q16] the last output of an agent that has ended is written when there is space", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 4 });
    const { folder, executionId } = await startAgent(disk, "seq 1 5000; seq 1 5000 >&2; exit 3");
    const { pid: runner, socket } = JSON.parse(readFileSync(folder.runner, "utf8")) as { pid: number; socket: string };
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId }).filter((pid) => pid !== runner)).toEqual([]), wait);
    // a driver reads no further until it may write; otherwise the runner has read what the agent left
    if (kind === "a program of ours") await untilWaiting(socket);
    expect(existsSync(folder.exit)).toBe(false);
    disk.free();
    expect(await exited(folder.exit)).toMatchObject({ exitCode: 3 });
    expect(readFileSync(folder.log, "utf8").split('agent-started"}\n')[1]).toBe(numbers(1, 5000));
    expect(readFileSync(folder.stderr, "utf8")).toBe(numbers(1, 5000));
  });

  test("[Q16] the end of an agent is written when a file can be created again", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 4, inodes: 200 });
    const { folder, executionId } = await startAgent(disk, "seq 1 5000; exit 3", "useUpInodes");
    const { pid: runner, socket } = JSON.parse(readFileSync(folder.runner, "utf8")) as { pid: number; socket: string };
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId }).filter((pid) => pid !== runner)).toEqual([]), wait);
    await untilWaiting(socket);
    expect(readFileSync(folder.log, "utf8").split('agent-started"}\n')[1]).toBe(numbers(1, 5000));
    expect(existsSync(folder.exit)).toBe(false);
    disk.free();
    expect(await exited(folder.exit)).toMatchObject({ exitCode: 3 });
  });
});

/** One persistent connection, as a browser has. */
function openConnection(server: RealServer) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { ...server.api.headers, "content-type": "application/json" };
  return {
    async post(path: string, body: object) {
      const sent = request(new URL(path, server.url), { agent, method: "POST", headers });
      sent.end(JSON.stringify(body));
      const [answer] = (await once(sent, "response")) as [IncomingMessage];
      return { status: answer.statusCode, problem: JSON.parse(await text(answer)) as unknown };
    },
    close: () => agent.destroy(),
  };
}

test("[Q16] an uncaught error is logged, and the server keeps running", slow, async () => {
  const preload = join(newFolder("preload"), "fail-on-signal.mjs");
  writeFileSync(
    preload,
    `process.on("SIGUSR2", () => {
      setImmediate(() => { throw new Error("thrown where nobody catches it"); });
      void Promise.reject(new Error("rejected where nobody looks"));
    });`,
  );
  const server = await startRealServer({ environment: { NODE_OPTIONS: `--import=${preload}` } });
  const { project } = await createWork(server, finished);
  process.kill(server.pid, "SIGUSR2");
  await vi.waitFor(() => {
    const log = readFileSync(join(server.home, "logs", "server.log"), "utf8");
    expect(log).toContain("thrown where nobody catches it");
    expect(log).toContain("rejected where nobody looks");
  }, wait);
  await expectWorks(server, project.id);
});
