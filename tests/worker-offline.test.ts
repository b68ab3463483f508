import { existsSync, lstatSync, lutimesSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitForEnd } from "./support/execution-end.ts";
import { startRealServer } from "./support/real-server.ts";
import { listWorkers, startNetwork, startRealWorker } from "./support/real-worker.ts";
import { newRepository } from "./support/repository.ts";
import { bash, bashUntilGo, newScriptedModel } from "./support/scripts.ts";

const lines = 150_000;
const steps = 20;

/** As if everything there had been written that much earlier. */
function age(folder: string, ms: number): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) age(path, ms);
    if (entry.isSocket()) continue;
    const { atimeMs, mtimeMs } = lstatSync(path);
    lutimesSync(path, (atimeMs - ms) / 1000, (mtimeMs - ms) / 1000);
  }
}

test("[W3, Q23] a worker that is offline for hours loses nothing, however old it is when it is back: its log is kept until it has been read", {
  timeout: 240_000,
}, async () => {
  const server = await startRealServer();
  const network = await startNetwork(server.url);
  const worker = await startRealWorker(server, { url: network.url });
  const { api } = server;
  const task = await api.createTask((await api.createProject(newRepository())).id);
  const model = newScriptedModel([
    { text: "Online.", toolCalls: [bashUntilGo] },
    ...Array.from({ length: steps }, (_, step) => ({ text: `Step ${step}.`, toolCalls: [bash(`echo ${step} >> count.txt`)] })),
    { toolCalls: [bash(`seq 1 ${lines}; echo offline > work.txt`)] },
    { text: "Done." },
  ]);
  const attempt = await api.createAttempt(task.id, { model, permissionMode: "full", host: worker.name });
  const { executionId = "" } = await api.send(task.id, "Work");
  const shown = async () => (await server.api.conversation(task.id)).messages;
  await expect.poll(async () => JSON.stringify(await shown()), { timeout: 60_000 }).toContain("Online.");
  network.cut();
  await expect.poll(async () => (await listWorkers(server)).map(({ isConnected }) => isConnected)).toEqual([false]);
  writeFileSync(join(attempt.directory, "go"), "");
  await expect.poll(() => existsSync(join(worker.home, "executions", executionId, "exit.json")), { timeout: 60_000 }).toBe(true);

  // it is restarted meanwhile, and so is the server; each start would clean up what looks old
  for (let restart = 0; restart < 2; restart++) {
    await worker.kill();
    age(worker.home, 5 * 60 * 60_000);
    await worker.start();
    await wait(1500);
  }
  await server.kill();
  await server.start();
  expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "running" }]);

  network.restore();
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success", exitCode: 0 });
  const messages = await shown();
  const texts = messages.filter(({ messageType, role }) => messageType === "text" && role === "assistant").map(({ content }) => content);
  expect(texts).toEqual(["Online.", ...Array.from({ length: steps }, (_, step) => `Step ${step}.`), "Done."]);
  const cards = messages.filter((message) => message.messageType === "tool_execution");
  expect(cards.map(({ metadata }) => metadata.state)).toEqual(Array.from({ length: steps + 2 }, () => "completed"));
  const { outputFile } = cards.at(-1)?.metadata ?? {};
  const output = await fetch(`${server.url}/api/executions/${executionId}/outputs/${outputFile}`, { headers: server.api.headers });
  expect((await output.text()).trim().split("\n")).toEqual(Array.from({ length: lines }, (_, line) => String(line + 1)));
  const { files } = await server.api.request<{ files: { filePath: string }[] }>("GET", `/api/executions/${executionId}/diff`);
  expect(files.map(({ filePath }) => filePath).toSorted()).toEqual(["count.txt", "go", "work.txt"]);
});
