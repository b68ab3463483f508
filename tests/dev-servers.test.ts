import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, DevServer } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newRepository } from "./support/repository.ts";
import { readTerminal } from "./support/terminal-reader.ts";

const program = `
console.log("starting on", process.env.SKEIN_PORT, process.env.SKEIN_HOME ?? "no home");
require("fs").existsSync("slow") || require("http").createServer((_, r) => r.end(process.cwd())).listen(process.env.SKEIN_PORT, "127.0.0.1", () => console.log("up"));
setInterval(() => {}, 1000);
`;

async function newProject(server: RealServer, script = "node server.cjs") {
  const repository = newRepository();
  writeFileSync(join(repository, "server.cjs"), program);
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ dev: script }));
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "a server");
  const project = await server.api.createProject(repository);
  const trust = async () => {
    const { hash } = await server.api.request<{ hash: string }>("GET", `/api/projects/${project.id}/scripts`);
    await server.api.request("POST", `/api/projects/${project.id}/scripts/trust`, { hash });
  };
  const task = await server.api.createTask(project.id);
  const newAttempt = async (input: Partial<Attempt> = {}) => {
    const attempt = await server.api.createAttempt(task.id, input as object);
    const path = `/api/attempts/${attempt.id}/dev`;
    return {
      attempt,
      find: () => server.api.request<DevServer>("GET", path),
      start: () => server.api.request<DevServer>("POST", path),
      stop: () => server.api.request<DevServer>("POST", `${path}/stop`),
    };
  };
  return { trust, newAttempt };
}

const untilListening = (find: () => Promise<DevServer>) =>
  vi.waitFor(
    async () => {
      const known = await find();
      expect(known.state).toBe("listening");
      return known;
    },
    { timeout: 60_000, interval: 100 },
  );

test("[L9, X8, X16] a dev server runs only if it and its files are trusted, on a port of its own that stays the same", {
  timeout: 180_000,
}, async () => {
  const server = await startRealServer();
  const { trust, newAttempt } = await newProject(server);
  const [one, two] = [await newAttempt(), await newAttempt()];
  expect(await one.find()).toEqual({ state: "none", port: null, url: null, startedAt: null, exit: null, run: null });
  await expect(one.start()).rejects.toMatchObject({ problem: { code: "scripts-not-trusted" } });
  await trust();
  await one.start();
  await two.start();
  const first = await untilListening(one.find);
  const second = await untilListening(two.find);
  expect(first.port).not.toBe(second.port);
  expect(await (await fetch(first.url ?? "")).text()).toBe(one.attempt.directory);
  expect(await (await fetch(second.url ?? "")).text()).toBe(two.attempt.directory);
  const log = readTerminal(server, `/api/attempts/${one.attempt.id}/terminals/${first.run}`);
  await log.waitFor(`starting on ${first.port} no home`);
  log.close();

  await server.kill();
  await server.start();
  expect(await one.find()).toEqual(first);
  expect(await one.stop()).toMatchObject({ state: "stopped", port: first.port, url: null });
  expect(findExecutionProcesses({ executionId: String(first.run) })).toEqual([]);
  await one.start();
  expect(await untilListening(one.find)).toMatchObject({ port: first.port });

  // an agent has changed what it runs
  writeFileSync(join(one.attempt.directory, "server.cjs"), "process.exit(5)");
  await expect(one.start()).rejects.toMatchObject({ problem: { code: "dev-script-unusable" } });

  await server.api.request("DELETE", `/api/attempts/${two.attempt.id}?discard=true`);
  expect(findExecutionProcesses({ executionId: String(second.run) })).toEqual([]);
  await expect(fetch(second.url ?? "")).rejects.toThrow();
});

test("[L9] it is starting until something listens, and an exit is shown with its code and its output", async () => {
  const server = await startRealServer();
  const { trust, newAttempt } = await newProject(
    server,
    "node server.cjs & sleep 1; [ -e fail ] && { echo sorry; kill $!; exit 4; }; wait",
  );
  await trust();
  const { attempt, find, start } = await newAttempt();
  writeFileSync(join(attempt.directory, "slow"), "");
  expect(await start()).toMatchObject({ state: "starting", url: null });
  writeFileSync(join(attempt.directory, "fail"), "");
  const { run } = await start();
  await vi.waitFor(async () => expect(await find()).toMatchObject({ state: "exited", exit: { exitCode: 4 } }), { timeout: 60_000 });
  const log = readTerminal(server, `/api/attempts/${attempt.id}/terminals/${run}`);
  await log.waitFor("sorry");
});

test("[L9, L7] in a sandbox it could not be reached, and is refused with the reason", async () => {
  const server = await startRealServer();
  const { trust, newAttempt } = await newProject(server);
  await trust();
  const { start } = await newAttempt({ sandbox: "workspace" });
  await expect(start()).rejects.toMatchObject({ problem: { code: "dev-in-sandbox" } });
});

test("[L9, L8] archiving the task ends its dev server and its terminals", async () => {
  const server = await startRealServer();
  const { trust, newAttempt } = await newProject(server);
  await trust();
  const { attempt, find, start } = await newAttempt();
  await start();
  await untilListening(find);
  await server.api.request("PATCH", `/api/tasks/${attempt.taskId}`, { archived: true });
  await vi.waitFor(async () => expect((await find()).exit).not.toBeNull(), { timeout: 20_000 });
});
