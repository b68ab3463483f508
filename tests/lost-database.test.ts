import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Execution, Health, QuarantineEntry, RecoveredExecution } from "@skein/contracts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import {
  backUpDatabase,
  listDatabaseCopies,
  loadConfig,
  type RunningServer,
  restoreDatabase,
  startServer,
} from "../packages/server/src/index.ts";
import type { ServerOptions } from "../packages/server/src/start/server-options.ts";
import { type ApiClient, createApiClient } from "./support/api-client.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const patience = { timeout: 120_000, interval: 200 };
const timeout = 400_000;
const done = newScriptedModel([{ text: "Done." }]);

interface OpenServer {
  readonly api: ApiClient;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The server in this process, with real agents: for tests that need no kill. */
async function openServer(
  home = newFolder("home"),
  options: Pick<ServerOptions, "checkDatabaseAfterMs"> = {},
): Promise<OpenServer & { home: string }> {
  process.env.SKEIN_SCRIPTED_MODELS = "1";
  let running: RunningServer | undefined;
  const server = {
    home,
    get api() {
      return createApiClient({ url: running?.url ?? "", token: running?.token ?? "" });
    },
    async start() {
      running = await startServer({ ...loadConfig({ home }), port: 0, webRoot: null, ...options });
    },
    async stop() {
      await running?.close();
      running = undefined;
    },
  };
  await server.start();
  onTestFinished(() => server.stop());
  return server;
}

async function ended(server: OpenServer, attemptId: string, executionId: string | undefined): Promise<Execution> {
  return vi.waitFor(async () => {
    const execution = (await server.api.executions(attemptId)).find(({ id }) => id === executionId);
    if (execution === undefined || execution.status === "running") throw new Error("not ended");
    return execution;
  }, patience);
}

const quarantine = (server: OpenServer) => server.api.request<{ entries: QuarantineEntry[] }>("GET", "/api/quarantine");
const countLines = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0);

/** A task of a model, in a worktree or in place. */
async function newAttempt(server: OpenServer, model: string, projectId: string, isolation: "worktree" | "in-place" = "worktree") {
  const task = await server.api.createTask(projectId);
  return { task, attempt: await server.api.createAttempt(task.id, { model, isolation }) };
}

describe("a database that is lost", () => {
  test("[Q16] missing, empty or truncated while other data exists: refused with the command that restores it, and nothing is changed", {
    timeout,
  }, async () => {
    const server = await openServer();
    const { home } = server;
    await server.api.createProject(newRepository());
    const { path: backup } = backUpDatabase({ home });
    await server.stop();
    const file = join(home, "skein.db");
    const log = join(home, "executions/exe_1/out.log");
    mkdirSync(join(log, ".."), { recursive: true });
    writeFileSync(log, "what an agent said");
    const whole = readFileSync(file);
    const damages = {
      missing: () => rmSync(file),
      "missing, its WAL is there": () => {
        rmSync(file);
        writeFileSync(`${file}-wal`, "not empty");
      },
      empty: () => truncateSync(file, 0),
      "cut short": () => truncateSync(file, 8192),
    };
    for (const [name, damage] of Object.entries(damages)) {
      writeFileSync(file, whole);
      damage();
      const before = readdirSync(home).toSorted();
      await expect(server.start(), name).rejects.toThrow(/skein restore/);
      expect(readdirSync(home).toSorted(), name).toEqual(before);
      expect(readFileSync(log, "utf8"), name).toBe("what an agent said");
      rmSync(`${file}-wal`, { force: true });
    }
    expect(listDatabaseCopies(home)).toMatchObject([{ file: backup, content: { tasks: 0, executions: 0 } }]);
    expect(await restoreDatabase({ home, backup })).toMatchObject({ unknownExecutions: 1, replaced: expect.stringContaining("replaced-") });
    await server.start();
    expect(await server.api.request("GET", "/api/projects")).toHaveLength(1);
    await vi.waitFor(async () => expect((await quarantine(server)).entries).toMatchObject([{ id: "exe_1", recoverable: false }]), patience);
    await expect(server.api.request("POST", "/api/quarantine/exe_1/recover")).rejects.toMatchObject({ status: 409 });
    expect(readFileSync(join(home, "quarantine/exe_1/execution/out.log"), "utf8")).toBe("what an agent said");
    await expect(restoreDatabase({ home, backup })).rejects.toThrow("already uses");
    await server.stop();
    await restoreDatabase({ home, backup: null });
    await server.start();
    expect(await server.api.request("GET", "/api/projects")).toEqual([]);
  });

  test("[Q16, Q5] after an older backup is restored, newer executions are quarantined, can be recovered completely, and are then ordinary executions", {
    timeout,
  }, async () => {
    const server = await openServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const old = await newAttempt(server, done, project.id);
    await ended(server, old.attempt.id, (await server.api.send(old.task.id, "First")).executionId);
    const { path: backup } = backUpDatabase({ home });
    const second = await server.api.send(old.task.id, "Second");
    await ended(server, old.attempt.id, second.executionId);
    const newer = await newAttempt(
      server,
      newScriptedModel([{ toolCalls: [bash("echo hi > made.txt")] }, { text: "Third done." }]),
      project.id,
    );
    const third = await server.api.send(newer.task.id, "Third");
    await ended(server, newer.attempt.id, third.executionId);
    const [shownSecond, shownThird] = [await server.api.conversation(old.task.id), await server.api.conversation(newer.task.id)];
    await server.stop();
    expect(await restoreDatabase({ home, backup })).toMatchObject({ executions: 1, unknownExecutions: 2 });
    await server.start();

    const { entries } = await vi.waitFor(async () => {
      const list = await quarantine(server);
      expect(list.entries).toHaveLength(2);
      return list;
    }, patience);
    expect(entries.map(({ id, state, taskTitle }) => ({ id, state, taskTitle }))).toEqual([
      { id: second.executionId, state: "quarantined", taskTitle: "Try it" },
      { id: third.executionId, state: "quarantined", taskTitle: "Try it" },
    ]);
    expect(entries.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(existsSync(newer.attempt.directory), "a worktree that a quarantined execution needs").toBe(true);
    expect(await server.api.executions(old.attempt.id)).toHaveLength(1);

    for (const { id } of entries) await server.api.request("POST", `/api/quarantine/${id}/recover`);
    expect((await server.api.conversation(old.task.id)).messages).toEqual(shownSecond.messages);
    expect((await server.api.conversation(newer.task.id)).messages).toEqual(shownThird.messages);
    expect(await server.api.executions(newer.attempt.id)).toMatchObject([{ id: third.executionId, status: "success" }]);
    expect((await quarantine(server)).entries).toEqual([]);
    // it is an ordinary execution: a restart keeps it
    await server.stop();
    await server.start();
    expect((await server.api.conversation(newer.task.id)).messages).toEqual(shownThird.messages);
  });

  test("[Q7] an agent that the database does not know keeps running, is listed, and can be recovered or stopped", {
    timeout,
  }, async () => {
    const server = await startRealServer();
    const { home } = server;
    const repository = newRepository();
    const project = await server.api.createProject(repository);
    await server.stop();
    copyFileSync(join(home, "skein.db"), join(home, "copy"));
    await server.start();
    const waiting = newScriptedModel([
      { toolCalls: [bash("echo up > up.txt; while [ ! -e stop.txt ]; do sleep 0.1; done")] },
      { text: "The end." },
    ]);
    const [one, two] = [await newAttempt(server, waiting, project.id), await newAttempt(server, waiting, project.id)];
    const sent = [await server.api.send(one.task.id, "Wait"), await server.api.send(two.task.id, "Wait, too")];
    const [first = "", second = ""] = sent.map(({ executionId }) => executionId);
    for (const { attempt } of [one, two])
      await vi.waitFor(() => expect(existsSync(join(attempt.directory, "up.txt"))).toBe(true), patience);
    await server.kill();
    // as users restore: one file is copied over another
    for (const name of ["skein.db-wal", "skein.db-shm"]) rmSync(join(home, name), { force: true });
    renameSync(join(home, "copy"), join(home, "skein.db"));
    await server.start();

    const running = [first, second].toSorted().map((id) => ({ id, state: "running" }));
    await vi.waitFor(async () => expect((await quarantine(server)).entries).toMatchObject(running), patience);
    expect(findExecutionProcesses({ executionId: first }).length).toBeGreaterThan(0);
    expect(readFileSync(join(home, "logs", "server.log"), "utf8")).toContain(
      "an agent keeps running whose execution is not in the database",
    );
    const { attemptId } = await server.api.request<RecoveredExecution>("POST", `/api/quarantine/${first}/recover`);
    expect(attemptId).toBe(one.attempt.id);
    expect(await server.api.executions(attemptId)).toMatchObject([{ id: first, status: "running" }]);
    writeFileSync(join(one.attempt.directory, "stop.txt"), "");
    expect(await ended(server, attemptId, first)).toMatchObject({ status: "success" });
    expect((await server.api.conversation(one.task.id)).messages.at(-1)?.content).toBe("The end.");

    await expect(server.api.request("DELETE", `/api/quarantine/${second}`)).rejects.toMatchObject({ status: 409 });
    await server.api.request("POST", `/api/quarantine/${second}/stop`);
    await vi.waitFor(() => expect(findExecutionProcesses({ executionId: second })).toEqual([]), patience);
    expect((await quarantine(server)).entries).toMatchObject([{ id: second, state: "quarantined" }]);
    await server.api.request("DELETE", `/api/quarantine/${second}`);
    expect((await quarantine(server)).entries).toEqual([]);
    expect(readdirSync(join(home, "quarantine"))).toEqual([]);
  });

  test("[Q21] nothing of a restored backup is started again: neither what it lists as running, nor its queued messages", {
    timeout,
  }, async () => {
    const server = await openServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const counted = join(newFolder("counted"), "starts");
    const model = newScriptedModel([{ toolCalls: [bash(`echo start >> '${counted}'; sleep 1000`)] }]);
    const { task, attempt } = await newAttempt(server, model, project.id, "in-place");
    const { executionId = "" } = await server.api.send(task.id, "Count me");
    await server.api.send(task.id, "And then this");
    await vi.waitFor(() => expect(countLines(counted)).toBe(1), patience);
    // both from the same run of the server: its own backup, and a manual copy
    const { path: backup } = backUpDatabase({ home });
    const byHand = join(newFolder("by-hand"), "skein.db");
    copyFileSync(backup, byHand);
    await server.api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
    for (const restore of [
      async () => {
        for (const name of ["skein.db-wal", "skein.db-shm"]) rmSync(join(home, name), { force: true });
        copyFileSync(byHand, join(home, "skein.db"));
      },
      () => restoreDatabase({ home, backup }),
    ]) {
      await server.stop();
      rmSync(join(home, "executions", executionId), { recursive: true, force: true });
      await restore();
      await server.start();
      const execution = await ended(server, attempt.id, executionId);
      expect(execution).toMatchObject({ status: "interrupted", reason: expect.stringContaining("was not started") });
      const { messages, queue, isExecuting } = await server.api.conversation(task.id);
      expect({ queue, isExecuting }).toEqual({ queue: [], isExecuting: false });
      expect(messages.map(({ content }) => content)).toContainEqual(expect.stringContaining("And then this"));
      expect(countLines(counted)).toBe(1);
    }
  });

  test("[Q16] deleted under a running server: noticed within a minute, reported, saved, and restored by the command it names", {
    timeout,
  }, async () => {
    const server = await openServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const { task, attempt } = await newAttempt(server, done, project.id);
    await ended(server, attempt.id, (await server.api.send(task.id, "Go")).executionId);
    const shown = await server.api.conversation(task.id);
    for (const name of readdirSync(home).filter((one) => one.startsWith("skein.db"))) rmSync(join(home, name));
    const { problem } = await vi.waitFor(
      async () => {
        const health = await server.api.request<Health>("GET", "/api/health");
        expect(health.status).toBe("degraded");
        return health;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(problem).toEqual({ cause: "database-missing", detail: expect.stringContaining("skein restore") });
    expect(readFileSync(join(home, "logs", "server.log"), "utf8")).toContain("was deleted or moved away");
    await expect(server.api.createTask(project.id)).rejects.toMatchObject({
      status: 503,
      problem: { detail: expect.stringContaining("skein restore") },
    });
    const rescued = readdirSync(home).find((name) => /rescued-\w+$/.test(name)) ?? "";
    await server.stop();
    await restoreDatabase({ home, backup: join(home, rescued) });
    await server.start();
    expect((await server.api.conversation(task.id)).messages).toEqual(shown.messages);
  });

  test("[Q16] damaged in pages that are not read: detected automatically, reported with what to do, and everything is still shown", {
    timeout,
  }, async () => {
    const server = await openServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const marker = "a description that nobody looks at ".repeat(2000);
    await server.api.request("POST", "/api/tasks", { projectId: project.id, title: "Rarely read", description: marker });
    await server.stop();
    const file = join(home, "skein.db");
    const bytes = readFileSync(file);
    // the links between the pages of the long text, not the pages that every start reads
    const page = Math.ceil(bytes.indexOf(marker.slice(0, 4000)) / 4096) + 1;
    writeFileSync(file, bytes.fill(0xee, page * 4096, (page + 2) * 4096));

    const damaged = await openServer(home, { checkDatabaseAfterMs: 1000 });
    const before = await damaged.api.request<Health>("GET", "/api/health");
    expect(before.status).toBe("ready");
    const health = await vi.waitFor(async () => {
      const found = await damaged.api.request<Health>("GET", "/api/health");
      expect(found.status).toBe("degraded");
      return found;
    }, patience);
    expect(health.problem).toEqual({ cause: "damaged", detail: expect.stringContaining("skein restore") });
    await vi.waitFor(() =>
      expect(readFileSync(join(home, "logs", "server.log"), "utf8")).toMatch(/"findings":\[".*the database is damaged/),
    );
    await damaged.api.createTask(project.id); // undamaged data can still be used and saved
  });
});
