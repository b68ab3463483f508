import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Health, ImportRun, ImportRuns, User } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { routeTable } from "../packages/server/src/http/routes/route-table.ts";
import { addressOf, keyOf, sampleBodies } from "../packages/server/src/http/testing/sample-requests.ts";
import { createApiClient } from "./support/api-client.ts";
import { dumpDatabase, newUserHome, runImport, writeLongSession } from "./support/imported-sessions.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { startRealWorker } from "./support/real-worker.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { canMountDisks, mountSmallDisk } from "./support/small-disk.ts";

const wait = { timeout: 60_000, interval: 200 };
const slow = { timeout: 240_000 };

const healthIs = (server: RealServer, expected: object) =>
  vi.waitFor(async () => expect(await server.api.request<Health>("GET", "/api/health")).toMatchObject(expected), wait);
const problemOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { problem?: unknown }) => error.problem,
  );

/** A folder on a small disk of its own. */
function newSmallHome(megabytes: number) {
  const disk = mountSmallDisk({ megabytes });
  const home = join(disk.path, "home");
  mkdirSync(home);
  return { disk, home };
}

describe.skipIf(!canMountDisks)("a fault of the disk", () => {
  test(
    "[Q16, Q20] during an import: it ends with the cause and what to do, and continues where it was when there is space",
    slow,
    async () => {
      const user = newUserHome("claude-code");
      for (let session = 0; session < 4; session++) writeLongSession(user, { id: `long-${session}`, turns: 15, toolsPerTurn: 60 });
      const environment = { HOME: user.home };
      const clean = await startRealServer({ environment });
      await runImport(clean, { source: "claude-code" });
      const wanted = await dumpDatabase(clean.home);
      await clean.stop();

      const { disk, home } = newSmallHome(48);
      const server = await startRealServer({ home, environment });
      await server.api.request<ImportRun>("POST", "/api/import", { source: "claude-code" });
      const findRun = async () => (await server.api.request<ImportRuns>("GET", "/api/import/runs")).runs[0];
      await vi.waitFor(async () => expect((await findRun())?.messages).toBeGreaterThan(200), wait);
      disk.fill();
      const failed = await vi.waitFor(async () => {
        const run = await findRun();
        expect(run?.endedAt).not.toBeNull();
        return run;
      }, wait);
      expect(failed).toMatchObject({ state: "failed" });
      expect(JSON.stringify(failed?.problems)).toMatch(/disk is full.*Free some space/i);
      await healthIs(server, { status: "degraded", problem: { cause: "disk-full" } });
      expect((await server.api.request<unknown[]>("GET", "/api/projects")).length).toBeGreaterThan(0);

      disk.free();
      await healthIs(server, { status: "ready" });
      expect(await runImport(server, { source: "claude-code" })).toMatchObject({ state: "done", problems: [] });
      const found = await dumpDatabase(home);
      for (const table of Object.keys(wanted)) expect(found[table], table).toEqual(wanted[table]);
    },
  );

  test.each(["full", "read-only"] as const)(
    "[Q16, X21] a server with users starts on a disk that is %s, shows them what is theirs, and recovers",
    slow,
    async (fault) => {
      const { disk, home } = newSmallHome(16);
      const server = await startRealServer({ home, environment: { SKEIN_TEAM: "1" } });
      const user = await server.api.request<User>("POST", "/api/users", { email: "ada@example.com", name: "Ada" });
      const made = await server.api.request<{ token: string }>("POST", "/api/tokens", { userId: user.id, name: "test", scope: "manage" });
      const project = await server.api.createProject(newRepository());
      const task = await server.api.createTask(project.id, "Seen");
      await server.api.request("PUT", `/api/projects/${project.id}/members/${user.id}`, { role: "member" });
      await server.stop();
      if (fault === "full") disk.fill();
      else await disk.setReadOnly(true);

      await server.start();
      await vi.waitFor(() => expect(server.output).toMatch(/The disk is (full|read-only)\./), wait);
      const cause = fault === "full" ? "disk-full" : "read-only";
      await healthIs(server, { status: "degraded", problem: { cause } });
      const ada = createApiClient({ url: server.url, token: made.token });
      expect(await ada.request("GET", `/api/tasks?projectId=${project.id}`)).toMatchObject([{ id: task.id, title: "Seen" }]);
      const refused = ada.request("POST", "/api/tasks", { projectId: project.id, title: "No", description: "x".repeat(90_000) });
      expect(await problemOf(refused)).toMatchObject({ status: 503, code: "storage-unavailable", cause });
      const signIn = await fetch(`${server.url}/api/sign-in`, {
        method: "POST",
        headers: { origin: server.url, "content-type": "application/json" },
        body: JSON.stringify({ email: "ada@example.com", password: "not hers at all" }),
      });
      expect(await signIn.json()).toMatchObject({ status: 503, code: "storage-unavailable", cause });

      if (fault === "full") disk.free();
      else await disk.setReadOnly(false);
      await healthIs(server, { status: "ready" });
      expect(await ada.createTask(project.id, "Saved")).toMatchObject({ title: "Saved" });
    },
  );

  test(
    "[Q16, W3] of a worker: the agent that fills it can be stopped, nothing is lost, and the worker takes work again",
    slow,
    async () => {
      const server = await startRealServer();
      const { disk, home } = newSmallHome(24);
      const worker = await startRealWorker(server, { home });
      const project = await server.api.createProject(newRepository());
      const filling = newScriptedModel([{ text: "Filling.", toolCalls: [bash("cat /dev/zero > zeros; touch full; sleep 600")] }]);
      const open = async (model: string) => {
        const task = await server.api.createTask(project.id);
        return { task, attempt: await server.api.createAttempt(task.id, { model, permissionMode: "full", host: worker.name }) };
      };
      const { task, attempt } = await open(filling);
      const statusOf = (attemptId: string) => server.api.executions(attemptId).then((list) => list.map(({ status }) => status));
      const { executionId = "" } = await server.api.send(task.id, "fill it");
      await vi.waitFor(() => expect(existsSync(join(attempt.directory, "full"))).toBe(true), wait);
      disk.fill();

      await server.api.stop(task.id);
      await vi.waitFor(() => expect(findExecutionProcesses({ executionId })).toEqual([]), wait);
      expect(await server.api.request("GET", "/api/workers")).toMatchObject([{ isConnected: true }]);
      disk.free();
      rmSync(join(attempt.directory, "zeros"));
      await vi.waitFor(async () => expect(await statusOf(attempt.id)).toEqual(["cancelled"]), wait);
      expect((await server.api.conversation(task.id)).messages.map(({ content }) => content).join("\n")).toContain("Filling.");

      const next = await open(newScriptedModel([{ text: "The work is done." }]));
      await server.api.send(next.task.id, "go");
      await vi.waitFor(async () => expect(await statusOf(next.attempt.id)).toEqual(["success"]), wait);
    },
  );

  test.each(["full", "read-only"] as const)(
    "[Q16, W3] of a worker that is started again: on a disk that is %s it connects, and works when it may write",
    slow,
    async (fault) => {
      const server = await startRealServer();
      const { disk, home } = newSmallHome(16);
      const worker = await startRealWorker(server, { home });
      const project = await server.api.createProject(newRepository());
      await worker.stop();
      if (fault === "full") disk.fill();
      else await disk.setReadOnly(true);
      await worker.start();
      await worker.connected();

      if (fault === "full") disk.free();
      else await disk.setReadOnly(false);
      const task = await server.api.createTask(project.id);
      const model = newScriptedModel([{ text: "The work is done." }]);
      const attempt = await server.api.createAttempt(task.id, { model, host: worker.name });
      await server.api.send(task.id, "go");
      const statuses = async () => (await server.api.executions(attempt.id)).map(({ status }) => status);
      await vi.waitFor(async () => expect(await statuses()).toEqual(["success"]), wait);
    },
  );
});

test.skipIf(!canMountDisks)(
  "[Q16] on a full disk no route answers with an internal error: what cannot be stored is 503 with the cause",
  slow,
  async () => {
    const { disk, home } = newSmallHome(24);
    const server = await startRealServer({ home });
    const project = await server.api.createProject(newRepository());
    const task = await server.api.createTask(project.id);
    const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "The work is done." }]) });
    const { executionId = "" } = await server.api.send(task.id, "go");
    await vi.waitFor(async () => expect((await server.api.executions(attempt.id)).map(({ status }) => status)).toEqual(["success"]), wait);
    disk.fill();
    await healthIs(server, { status: "degraded" });
    const ids: Record<string, string> = { prj_1: project.id, tsk_1: task.id, att_1: attempt.id, exe_1: executionId };
    const toReal = (text: string) => text.replace(/(?:prj|tsk|att|exe)_1/g, (id) => ids[id] ?? id);
    const answers: Record<string, unknown> = {};
    // the stream has no end, and a deletion would take away what the other routes are about
    const routes = routeTable.filter(({ method, path }) => path !== "/api/events" && method !== "DELETE");
    for (const route of routes) {
      const body = sampleBodies[keyOf(route)];
      const response = await fetch(`${server.url}${toReal(addressOf(route))}`, {
        method: route.method,
        headers: { ...server.api.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: toReal(JSON.stringify(body)) }),
      });
      const text = await response.text();
      answers[keyOf(route)] = response.status >= 500 ? (JSON.parse(text) as { code: string; cause?: string }) : response.status;
    }
    const failed = Object.entries(answers).filter(([, answer]) => typeof answer === "object");
    expect(failed.filter(([, answer]) => (answer as { status: number }).status !== 503)).toEqual([]);
    const unstored = failed.filter(([, answer]) => (answer as { cause?: string }).cause === "disk-full");
    expect(unstored.length).toBeGreaterThan(10);
  },
);

test("[Q16, W3] a worker whose output cannot be written keeps running", slow, async () => {
  const server = await startRealServer();
  const worker = await startRealWorker(server, { outputFile: "/dev/full" });
  // it reports the lost connection and the new one
  await server.stop();
  await server.start();
  await worker.connected();
  expect(await worker.stop()).toBe(0);
});
