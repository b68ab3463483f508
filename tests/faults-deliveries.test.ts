import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { createdApiTokenSchema, createId, type Health, type Job } from "@skein/contracts";
import { openSqliteStorage } from "@skein/storage";
import { stdioMcpServer } from "@skein/testkit/mcp-servers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { createJobs } from "../packages/server/src/jobs/create-jobs.ts";
import type { JobHandlers } from "../packages/server/src/jobs/jobs.ts";
import { silentLogger } from "../packages/server/src/silent-logger.fixture.ts";
import { connectHttp } from "./support/mcp-client.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";
import { canMountDisks, mountSmallDisk } from "./support/small-disk.ts";

const wait = { timeout: 60_000, interval: 200 };
const slow = { timeout: 240_000 };

const becomes = (server: RealServer, status: Health["status"]) =>
  vi.waitFor(async () => expect(await server.api.request<Health>("GET", "/api/health")).toMatchObject({ status }), wait);
const statusesOf = async ({ api }: RealServer, attemptId: string) => (await api.executions(attemptId)).map(({ status }) => status);
const endsWell = (server: RealServer, attemptId: string) =>
  vi.waitFor(async () => expect(await statusesOf(server, attemptId)).toEqual(["success"]), wait);

/** A server whose data dir is a small disk of its own. */
async function startOnSmallDisk(config: object = {}) {
  const disk = mountSmallDisk({ megabytes: 24 });
  const home = join(disk.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const server = await startRealServer({ home });
  const project = await server.api.createProject(newRepository());
  return { disk, server, projectId: project.id };
}

async function runSkein(args: string[]) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", skeinProgram, ...args], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

describe.skipIf(!canMountDisks)("what is delivered while the disk is full", () => {
  test(
    "[Q16, M1] a call to Skein's MCP server is refused with the cause and the remedy, and repeated with its key it starts once",
    slow,
    async () => {
      const { disk, server, projectId } = await startOnSmallDisk();
      const token = createdApiTokenSchema.parse(await server.api.request("POST", "/api/tokens", { name: "test", scope: "write" }));
      const user = await connectHttp(server.url, token.token);
      const model = newScriptedModel([{ text: "The work is done." }]);
      // more than fits into the pages that the database has already allocated
      const prompt = `Do it. ${"x".repeat(90_000)}`;
      const start = { projectId, prompt, title: "Once", agent: "native", model, idempotencyKey: "only-once" };
      disk.fill();
      await becomes(server, "degraded");

      expect(await user.call("list_projects")).toMatchObject({ projects: [{ id: projectId }] });
      await expect(user.call("start_task", start)).rejects.toMatchObject({
        code: "storage-unavailable",
        message: expect.stringMatching(/The disk is full\. .*Free some space/),
      });
      expect(await server.api.request("GET", `/api/tasks?projectId=${projectId}`)).toEqual([]);

      disk.free();
      await becomes(server, "ready");
      const started = await user.call<{ taskId: string; attemptId: string }>("start_task", start);
      expect(await user.call("start_task", start)).toEqual(started);
      expect(await user.call("wait", { attemptIds: [started.attemptId] })).toMatchObject({ attempts: [{ state: "success" }] });
      expect(await server.api.request("GET", `/api/tasks?projectId=${projectId}`)).toMatchObject([{ id: started.taskId }]);
    },
  );

  test("[Q16, E12] an agent's call to an MCP server waits until it is in the log, and is delivered once", slow, async () => {
    const outside = newFolder("outside");
    const [trace, go] = [join(outside, "trace"), join(outside, "go")];
    const { disk, server, projectId } = await startOnSmallDisk({ mcpServers: { demo: stdioMcpServer({ trace }) } });
    const model = newScriptedModel([
      // its output is more than fits into the pages that the log has already allocated
      { text: "Waiting.", toolCalls: [bash(`until [ -e ${go} ]; do sleep 0.05; done; touch ${outside}/passed; seq 1 5000`)] },
      { text: "Calling.", toolCalls: [{ name: "mcp__demo__slow", arguments: { steps: 1, stepMs: 1 } }] },
      { text: "The work is done." },
    ]);
    const task = await server.api.createTask(projectId);
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "full" });
    await server.api.send(task.id, "go");
    const countCalls = () => readFileSync(trace, "utf8").match(/^slow done$/gm)?.length ?? 0;
    await vi.waitFor(async () => expect(JSON.stringify(await server.api.conversation(task.id))).toContain("until [ -e"), wait);
    disk.fill();
    writeFileSync(go, "");
    await vi.waitFor(() => expect(existsSync(join(outside, "passed"))).toBe(true), wait);
    await delay(1500);
    expect([countCalls(), await statusesOf(server, attempt.id)]).toEqual([0, ["running"]]);

    disk.free();
    await endsWell(server, attempt.id);
    expect(countCalls()).toBe(1);
    const { messages } = await server.api.conversation(task.id);
    expect(messages.filter(({ messageType }) => messageType === "tool_execution")).toMatchObject([
      { metadata: { toolName: "bash", state: "completed" } },
      { metadata: { toolName: "mcp__demo__slow", state: "completed", output: "done" } },
    ]);
  });

  test(
    "[Q16, I4] a conversation is exported, and a file that cannot be written is named, with the cause and no half of it",
    slow,
    async () => {
      const { disk, server, projectId } = await startOnSmallDisk();
      const task = await server.api.createTask(projectId);
      const attempt = await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "The work is done." }]) });
      await server.api.send(task.id, "go");
      await endsWell(server, attempt.id);
      const folder = join(disk.path, "exports");
      mkdirSync(folder);
      disk.fill();
      await becomes(server, "degraded");

      for (const format of ["json", "markdown", "html"]) {
        const { code, stdout, stderr } = await runSkein(["export", attempt.id, "--home", server.home, "--format", format]);
        expect([code, stderr]).toEqual([0, ""]);
        expect(stdout).toContain("The work is done.");
        const out = join(folder, format);
        const failed = await runSkein(["export", attempt.id, "--home", server.home, "--format", format, "--out", out]);
        expect(failed.code).toBe(1);
        expect(failed.stderr).toContain(out);
        expect(failed.stderr).toMatch(/The disk is full\..*Free some space/s);
        expect(readdirSync(folder)).toEqual([]);
      }

      disk.free();
      const out = join(folder, "again.md");
      expect(await runSkein(["export", attempt.id, "--home", server.home, "--format", "markdown", "--out", out])).toMatchObject({
        code: 0,
      });
      expect(readFileSync(out, "utf8")).toContain("The work is done.");
    },
  );

  test("[Q16, Q21] a job keeps its place: what has happened is saved when there is space, and nothing happens twice", slow, async () => {
    const disk = mountSmallDisk({ megabytes: 4 });
    const file = join(disk.path, "skein.db");
    const storage = await openSqliteStorage({ file });
    onTestFinished(() => storage.close());
    const runs: string[] = [];
    const begun = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    const large = "x".repeat(90_000);
    const noteAndWait = async (name: string) => {
      runs.push(name);
      if (runs.length === 3) begun.resolve();
      await full.promise;
    };
    const handlers: JobHandlers = {
      // an effect elsewhere, which must not be repeated
      delivery: { maxTries: 1, run: () => noteAndWait("delivery") },
      failure: {
        maxTries: 1,
        async run() {
          await noteAndWait("failure");
          throw new Error("The receiver refused it.");
        },
      },
      // an effect in the database
      record: {
        backoffMs: 1,
        async run({ complete }) {
          await noteAndWait("record");
          await complete(async (tx) => void (await tx.insertJob({ ...effect, data: large })));
        },
      },
    };
    const jobs = createJobs({ storage, handlers, logger: silentLogger, now: Date.now });
    onTestFinished(() => jobs.close());
    jobs.start();
    for (const name of Object.keys(handlers)) await jobs.enqueue({ name, data: large });
    const waiting = await jobs.enqueue({ name: "delivery", runAt: Date.now() + 3000 });
    await begun.promise;
    disk.fill();
    full.resolve();
    const byName = async (name: string) => (await storage.read.listJobs({ limit: 100 })).filter((job) => job.name === name);
    await delay(5000); // the other one is due
    expect(await byName("effect")).toEqual([]);
    expect(runs.filter((name) => name === "delivery")).toEqual(["delivery"]);
    await expect(jobs.enqueue({ name: "delivery", data: large })).rejects.toThrow();

    disk.free();
    await vi.waitFor(async () => expect((await byName("effect")).length).toBe(1), wait);
    const one = { state: "done", tries: 1, error: null };
    await vi.waitFor(async () => expect(await byName("delivery")).toMatchObject([{ ...one, id: waiting }, one]), wait);
    await vi.waitFor(
      async () => expect(await byName("failure")).toMatchObject([{ state: "failed", error: "The receiver refused it." }]),
      wait,
    );
    await vi.waitFor(async () => expect(await byName("record")).toMatchObject([{ state: "done" }]), wait);
    expect(runs.filter((name) => name === "delivery")).toHaveLength(2);
    expect(runs.filter((name) => name === "failure")).toHaveLength(1);
  });
});

const effect: Job = {
  ...{ id: createId("job"), name: "effect", key: null, data: null, state: "done", runAt: 0, tries: 0, maxTries: 1, backoffMs: 0 },
  ...{ createdAt: 0, startedAt: null, endedAt: Number.MAX_SAFE_INTEGER, error: null, nodeId: null },
};
