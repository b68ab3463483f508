import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Health, SearchHit, StorageUse } from "@skein/contracts";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { openCutProxy } from "../packages/storage/src/postgres/__fixtures__/cut-proxy.ts";
import { createTestDatabases, testServerUrl } from "../packages/storage/src/postgres/__fixtures__/test-databases.ts";
import { ApiError } from "./support/api-client.ts";
import { openEventStream } from "./support/event-stream.ts";
import { isLong } from "./support/long.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { countedLines, countingEnd, countingSteps, newScriptedModel } from "./support/scripts.ts";
import { expectKept, shownBy } from "./support/shown-messages.ts";

const kills = isLong ? 40 : 4;
const steps = 4;

const model = newScriptedModel([...countingSteps(steps), countingEnd]);
const counted = countedLines(steps);

function runSkein(args: string[], environment: Record<string, string> = {}): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH ?? "", ...environment };
    execFile(process.execPath, ["--disable-warning=ExperimentalWarning", skeinProgram, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, output: `${stdout}${stderr}` }),
    );
  });
}

describe.skipIf(testServerUrl === undefined)("[W1] a server on Postgres", () => {
  const databases = createTestDatabases();

  test(`[Q5, Q7, P5] kill -9 at ${kills} random moments: nothing shown is missing or doubled, no tool runs twice`, {
    timeout: 60_000 + kills * 15_000,
  }, async () => {
    const server = await startRealServer({ environment: { SKEIN_DATABASE_URL: await databases.create() } });
    expect(await server.api.request<Health>("GET", "/api/health")).toMatchObject({ status: "ready", storage: "postgres" });
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, { model });
    const { executionId } = await server.api.send(task.id, "Go through all steps");
    for (let kill = 0; kill < kills; kill++) {
      const stream = await openEventStream(server.api, { after: 0 });
      await wait(Math.random() * 400);
      await server.kill();
      await stream.ended;
      await server.start();
      expectKept(shownBy(stream, task.id).values(), (await server.api.conversation(task.id)).messages);
    }
    const stream = await openEventStream(server.api, { after: 0 });
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    const numbers = stream.seen.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    stream.close();
    expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success", exitCode: 0 }]);
    expect((await server.api.conversation(task.id)).messages.at(-1)?.content).toBe("All steps are done.");
    expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe(counted);
    expect(existsSync(join(server.home, "skein.db"))).toBe(false);
    const { database } = await server.api.request<StorageUse>("GET", "/api/storage");
    expect(database).toBeGreaterThan(1_000_000);
  });

  test("[Q16] that loses its database reports the cause, its agent keeps running, and all of its output is saved afterwards", async () => {
    const proxy = await openCutProxy(await databases.create());
    onTestFinished(() => proxy.close());
    const server = await startRealServer({ environment: { SKEIN_DATABASE_URL: proxy.url } });
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
    const attempt = await server.api.createAttempt(task.id, { model });
    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "Go");
    await stream.waitFor(({ event }) => event.type === "message:added" && event.message.content.includes("Step 1"));
    proxy.cut();
    const refusal = await server.api.createTask(task.projectId).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiError);
    expect(refusal).toMatchObject({ status: 503, problem: { code: "storage-unavailable", cause: "database-unreachable" } });
    const degraded = await server.api.request<Health>("GET", "/api/health");
    expect(degraded).toMatchObject({ status: "degraded", problem: { cause: "database-unreachable" } });
    // the agent finishes without a database
    await vi.waitFor(() => expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe(counted), {
      timeout: 60_000,
      interval: 200,
    });
    await wait(500);
    proxy.restore();

    await vi.waitFor(async () => expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success", exitCode: 0 }]), {
      timeout: 60_000,
      interval: 200,
    });
    const isReady = async () => expect(await server.api.request<Health>("GET", "/api/health")).toMatchObject({ status: "ready" });
    await vi.waitFor(isReady, { timeout: 30_000, interval: 200 });
    const { messages } = await server.api.conversation(task.id);
    // while it could not be saved, a notice said so; it is not part of the conversation
    const shown = [...shownBy(stream, task.id).values()].filter(({ id }) => !id.endsWith("_unsaved"));
    expectKept(shown, messages);
    const cards = messages.filter((message) => message.messageType === "tool_execution");
    expect(cards.map((card) => card.metadata.state)).toEqual(Array.from({ length: steps }, () => "completed"));
    expect(messages.at(-1)?.content).toBe("All steps are done.");
    stream.close();
  });

  test("moving a data dir to Postgres and back keeps its tasks, conversations and search; no server continues with the old database", {
    timeout: 240_000,
  }, async () => {
    const home = newFolder("home");
    const url = await databases.create();
    const onPostgres = { SKEIN_DATABASE_URL: url };
    const server = await startRealServer({ home });
    const task = await server.api.createTask((await server.api.createProject(newRepository())).id, "Fix the 灯塔");
    await server.api.createAttempt(task.id, { model: newScriptedModel([{ text: "Call getUserById." }]) });
    const stream = await openEventStream(server.api);
    await server.api.send(task.id, "Go");
    await stream.waitFor(({ event }) => event.type === "execution:completed");
    stream.close();
    const { messages } = await server.api.conversation(task.id);
    expect(await runSkein(["move", "--to", url, "--home", home])).toMatchObject({
      code: 1,
      output: expect.stringContaining("Stop it first"),
    });
    await server.stop();
    const early = await runSkein(["serve", "--home", home, "--port", "0", "--no-open"], onPostgres);
    expect(early).toMatchObject({ code: 1, output: expect.stringContaining("the Postgres database is empty") });

    const moved = await runSkein(["move", "--to", url, "--home", home]);
    expect(moved).toMatchObject({ code: 0, output: expect.stringContaining("Every row was compared with the original.") });
    expect(readdirSync(home).filter((name) => name.startsWith("skein.db"))).toEqual([expect.stringMatching(/^skein\.db\.moved-/)]);
    const forgotten = await runSkein(["serve", "--home", home, "--port", "0", "--no-open"]);
    expect(forgotten).toMatchObject({
      code: 1,
      output: expect.stringContaining("was moved to Postgres. Start Skein with SKEIN_DATABASE_URL"),
    });
    const backup = await runSkein(["backup", "--home", home], onPostgres);
    expect(backup).toMatchObject({ code: 1, output: expect.stringContaining("pg_dump --format=custom") });
    const files = newFolder("files");
    expect(await runSkein(["backup", join(files, "kept"), "--no-database", "--home", home], onPostgres)).toMatchObject({ code: 0 });
    expect(readdirSync(join(files, "kept"))).toContain("executions");

    const second = await startRealServer({ home, environment: onPostgres });
    expect((await second.api.conversation(task.id)).messages).toEqual(messages);
    const search = async (text: string) =>
      (await second.api.request<{ hits: SearchHit[] }>("GET", `/api/search?q=${encodeURIComponent(text)}`)).hits.map(({ kind }) => kind);
    expect(await search("UserById")).toEqual(["message"]);
    expect(await search("灯塔")).toContain("task");
    await second.api.createTask(task.projectId, "On Postgres");
    await second.stop();

    const back = await runSkein(["move", "--from", url, "--home", home]);
    expect(back).toMatchObject({ code: 0, output: expect.stringContaining("without SKEIN_DATABASE_URL") });
    const third = await startRealServer({ home });
    expect(await third.api.request<Health>("GET", "/api/health")).toMatchObject({ storage: "sqlite" });
    expect((await third.api.conversation(task.id)).messages).toEqual(messages);
    const titles = (await third.api.request<{ title: string }[]>("GET", "/api/tasks")).map(({ title }) => title);
    expect(titles.sort()).toEqual(["Fix the 灯塔", "On Postgres"]);
  });
});
