import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DevServer, TerminalList } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import { startRealServer } from "./support/real-server.ts";
import { startRealWorker } from "./support/real-worker.ts";
import { git, newRepository } from "./support/repository.ts";
import { openTerminal } from "./support/terminal-reader.ts";

const program = "require('http').createServer((_, r) => r.end('served')).listen(process.env.SKEIN_PORT, '127.0.0.1')";

test("[W4, L9] on a worker: a terminal and a dev server in its folder, which survive both processes, and end with the attempt", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const { api } = server;
  const worker = await startRealWorker(server, { environment: { SHELL: "/bin/bash" } });
  const repository = newRepository();
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, "server.cjs"), program);
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ dev: "node server.cjs" }));
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "a server");
  const project = await api.createProject(repository);
  const { hash } = await api.request<{ hash: string }>("GET", `/api/projects/${project.id}/scripts`);
  await api.request("POST", `/api/projects/${project.id}/scripts/trust`, { hash });
  const task = await api.createTask(project.id);
  const attempt = await api.createAttempt(task.id, { host: worker.name });

  const terminal = await openTerminal(server, attempt.id);
  await terminal.type("X=kept; echo in:$PWD; echo secrets:$(env | grep -c SKEIN)\r");
  await terminal.waitFor(`in:${attempt.directory}`);
  await terminal.waitFor("secrets:0");
  expect(existsSync(join(worker.home, "terminals", attempt.id))).toBe(true);
  expect(existsSync(join(server.home, "terminals"))).toBe(false);

  const find = () => api.request<DevServer>("GET", `/api/attempts/${attempt.id}/dev`);
  await api.request("POST", `/api/attempts/${attempt.id}/dev`);
  const listening = () =>
    vi.waitFor(async () => expect(await find()).toMatchObject({ state: "listening" }), { timeout: 60_000, interval: 200 });
  await listening();
  const { port, url, run } = await find();
  // its address is not one of the browser's machine
  expect(url).toBeNull();
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("served");

  await worker.kill();
  await expect(api.request("GET", `/api/attempts/${attempt.id}/terminals`)).rejects.toMatchObject({
    problem: { code: "host-unreachable" },
  });
  await server.kill();
  await server.start();
  await worker.start();
  await worker.connected();
  await terminal.type("echo still-$X\r");
  await terminal.waitFor("still-kept");
  await listening();
  const { terminals } = await api.request<TerminalList>("GET", `/api/attempts/${attempt.id}/terminals`);
  expect(terminals).toMatchObject([{ id: terminal.terminal.id, exit: null }]);

  await api.request("DELETE", `/api/attempts/${attempt.id}?discard=true`);
  for (const executionId of [terminal.terminal.id, String(run)]) expect(findExecutionProcesses({ executionId })).toEqual([]);
  expect(existsSync(join(worker.home, "terminals", attempt.id))).toBe(false);
});
