import { execFile } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Execution, Health, QuarantineList, RecoveredExecution } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/server/src/runner/process-tree.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const patience = { timeout: 90_000, interval: 50 };
const main = fileURLToPath(new URL("../packages/cli/bin/skein.mjs", import.meta.url));
const done = newScriptedModel([{ text: "Done." }]);

function skein(home: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, SKEIN_HOME: home, SKEIN_SCRIPTED_MODELS: "1" };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

async function ended(server: RealServer, attemptId: string, executionId: string | undefined): Promise<Execution> {
  return vi.waitFor(async () => {
    const execution = (await server.api.executions(attemptId)).find(({ id }) => id === executionId);
    if (execution === undefined || execution.status === "running") throw new Error("not ended");
    return execution;
  }, patience);
}

const quarantine = (server: RealServer) => server.api.request<QuarantineList>("GET", "/api/quarantine");
const backupIn = (text: string) => /(\S+\.db)\b/.exec(text)?.[1] ?? "";
const countLines = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0);

/** A task of a model, in a worktree or in place. */
async function newAttempt(server: RealServer, model: string, projectId: string, isolation: "worktree" | "in-place" = "worktree") {
  const task = await server.api.createTask(projectId);
  return { task, attempt: await server.api.createAttempt(task.id, { model, isolation }) };
}

describe("a database that is lost", () => {
  test("[Q16] missing, empty or cut short beside data: refused with the command that restores it, and nothing is touched", {
    timeout: 180_000,
  }, async () => {
    const server = await startRealServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const { task, attempt } = await newAttempt(server, done, project.id);
    const { executionId } = await server.api.send(task.id, "Go");
    await ended(server, attempt.id, executionId);
    const backup = backupIn((await skein(home, "backup")).output);
    await server.kill(); // leaves a WAL
    const file = join(home, "skein.db");
    const kept = newFolder("kept");
    const databaseFiles = readdirSync(home).filter((name) => name.startsWith("skein.db"));
    const keep = () => databaseFiles.forEach((name) => copyFileSync(join(home, name), join(kept, name)));
    const putBack = () => databaseFiles.forEach((name) => copyFileSync(join(kept, name), join(home, name)));
    keep();
    const log = readFileSync(join(home, "executions", executionId ?? "", "out.log"));
    const damages = {
      missing: () => databaseFiles.forEach((name) => rmSync(join(home, name))),
      "missing, its WAL is there": () => rmSync(file),
      empty: () => truncateSync(file, 0),
      "cut short": () => {
        rmSync(`${file}-wal`, { force: true });
        truncateSync(file, 8192);
      },
    };
    for (const [name, damage] of Object.entries(damages)) {
      putBack();
      damage();
      const before = readdirSync(home).toSorted();
      const refused = await server.start().catch((error: Error) => error);
      expect(refused, name).toBeInstanceOf(Error);
      expect(server.output, name).toContain("skein restore");
      expect(server.output, name).not.toContain("fault of Skein");
      expect(readFileSync(join(home, "executions", executionId ?? "", "out.log")).equals(log), name).toBe(true);
      expect(existsSync(attempt.directory), name).toBe(true);
      expect(readdirSync(home).filter((one) => !before.includes(one) && !one.startsWith("skein.db-shm"))).toEqual([]);
    }
    const listed = await skein(home, "restore");
    expect(listed.output).toContain(backup);
    const restored = await skein(home, "restore", backup);
    expect(restored, restored.output).toMatchObject({ code: 0 });
    await server.start();
    expect(await server.api.executions(attempt.id)).toMatchObject([{ id: executionId, status: "success" }]);
    expect(readdirSync(home).filter((name) => name.startsWith("skein.db.replaced-"))).not.toEqual([]);
  });

  test("[Q16, Q5] after an older backup is restored, newer executions are kept aside, can be recovered whole, or deleted", {
    timeout: 180_000,
  }, async () => {
    const server = await startRealServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const old = await newAttempt(server, done, project.id);
    await ended(server, old.attempt.id, (await server.api.send(old.task.id, "First")).executionId);
    const { output } = await skein(home, "backup");
    const second = await server.api.send(old.task.id, "Second");
    await ended(server, old.attempt.id, second.executionId);
    const newer = await newAttempt(server, newScriptedModel([{ toolCalls: [bash("echo hi > made.txt")] }, { text: "Third done." }]), project.id);
    const third = await server.api.send(newer.task.id, "Third");
    await ended(server, newer.attempt.id, third.executionId);
    const [shownSecond, shownThird] = [await server.api.conversation(old.task.id), await server.api.conversation(newer.task.id)];
    expect((await skein(home, "restore", backupIn(output))).output).toContain("Stop it first");
    await server.stop();
    const restored = await skein(home, "restore", backupIn(output));
    expect(restored.output).toMatch(/2 executions.*skein quarantine/s);
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
    expect((await skein(home, "quarantine")).output).toContain(third.executionId);
    expect(existsSync(newer.attempt.directory), "a worktree that a quarantined execution needs").toBe(true);
    expect(await server.api.executions(old.attempt.id)).toHaveLength(1);

    const recovered = await skein(home, "quarantine", "recover", "--all");
    expect(recovered, recovered.output).toMatchObject({ code: 0 });
    await ended(server, newer.attempt.id, third.executionId);
    expect((await server.api.conversation(old.task.id)).messages).toEqual(shownSecond.messages);
    expect((await server.api.conversation(newer.task.id)).messages).toEqual(shownThird.messages);
    expect(await server.api.executions(newer.attempt.id)).toMatchObject([{ id: third.executionId, status: "success" }]);
    expect((await quarantine(server)).entries).toEqual([]);
    // it is an execution like every other: a restart keeps it
    await server.stop();
    await server.start();
    expect((await server.api.conversation(newer.task.id)).messages).toEqual(shownThird.messages);
  });

  test("[Q7] an agent that the database does not know keeps running, is listed, and can be recovered or stopped", {
    timeout: 180_000,
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
    for (const { attempt } of [one, two]) await vi.waitFor(() => expect(existsSync(join(attempt.directory, "up.txt"))).toBe(true), patience);
    await server.kill();
    // as people restore: a file is copied over another
    for (const name of ["skein.db-wal", "skein.db-shm"]) rmSync(join(home, name), { force: true });
    renameSync(join(home, "copy"), join(home, "skein.db"));
    await server.start();

    const running = [first, second].toSorted().map((id) => ({ id, state: "running" }));
    await vi.waitFor(async () => expect((await quarantine(server)).entries).toMatchObject(running), patience);
    expect(findExecutionProcesses({ executionId: first }).length).toBeGreaterThan(0);
    expect(readFileSync(join(home, "logs", "server.log"), "utf8")).toContain("an agent of an execution that the database does not know");
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

  test("[Q21] nothing of a restored backup is started again: neither what it calls running, nor what waits in its queue", {
    timeout: 180_000,
  }, async () => {
    const server = await startRealServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const counted = join(newFolder("counted"), "starts");
    const model = newScriptedModel([{ toolCalls: [bash(`echo start >> '${counted}'; sleep 1000`)] }]);
    const { task, attempt } = await newAttempt(server, model, project.id, "in-place");
    const { executionId = "" } = await server.api.send(task.id, "Count me");
    await server.api.send(task.id, "And then this");
    await vi.waitFor(() => expect(countLines(counted)).toBe(1), patience);
    // both in the same run of the server: its own backup, and a copy made by hand
    const backup = backupIn((await skein(home, "backup")).output);
    const byHand = join(newFolder("by-hand"), "skein.db");
    copyFileSync(backup, byHand);
    await server.api.request("DELETE", `/api/tasks/${task.id}?discard=true`);
    for (const restore of [
      async () => {
        for (const name of ["skein.db-wal", "skein.db-shm"]) rmSync(join(home, name), { force: true });
        copyFileSync(byHand, join(home, "skein.db"));
      },
      async () => expect((await skein(home, "restore", backup)).code).toBe(0),
    ]) {
      await server.kill();
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
    timeout: 180_000,
  }, async () => {
    const server = await startRealServer();
    const { home } = server;
    const project = await server.api.createProject(newRepository());
    const { task, attempt } = await newAttempt(server, done, project.id);
    await ended(server, attempt.id, (await server.api.send(task.id, "Go")).executionId);
    const shown = await server.api.conversation(task.id);
    for (const name of readdirSync(home).filter((one) => one.startsWith("skein.db"))) rmSync(join(home, name));
    const { database } = await vi.waitFor(
      async () => {
        const health = await server.api.request<Health>("GET", "/api/health");
        if (health.database === undefined) throw new Error("not noticed yet");
        return health;
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(database).toEqual({ kind: "missing" });
    expect(readFileSync(join(home, "logs", "server.log"), "utf8")).toContain("was deleted or moved away");
    await expect(server.api.createTask(project.id)).rejects.toMatchObject({
      status: 503,
      problem: { detail: expect.stringContaining("skein restore") },
    });
    const rescued = readdirSync(home).find((name) => /rescued-\w+$/.test(name)) ?? "";
    await server.kill();
    expect(await skein(home, "restore", join(home, rescued))).toMatchObject({ code: 0 });
    await server.start();
    expect((await server.api.conversation(task.id)).messages).toEqual(shown.messages);
  });
});
