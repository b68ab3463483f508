import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const bytes = process.env.SKEIN_TEST_LONG === "1" ? 1_000_000_000 : 150_000_000;
const maxGrowth = 100_000_000;

test(`[Q14] ${bytes / 1e6} MB of a tool's output: the server's memory hardly grows, head and tail are shown, all of it can be downloaded`, {
  timeout: 300_000,
}, async () => {
  const command = `echo BEGIN; yes 'a line that is said again and again' | head -c ${bytes}; echo; echo END`;
  const server = await startRealServer();
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  await server.api.createAttempt(task.id, { model: newScriptedModel([{ toolCalls: [bash(command)] }, { text: "Done." }]) });
  const { pid } = JSON.parse(readFileSync(join(server.home, "server.json"), "utf8")) as { pid: number };
  const residentBytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  const before = residentBytes();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, residentBytes())), 50);

  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "go");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  const { messages } = await server.api.conversation(task.id);
  const card = messages.find((message) => message.messageType === "tool_execution");
  expect(card?.metadata).toMatchObject({ state: "completed", outputFile: expect.any(String) });
  expect(card?.metadata.output.length).toBeLessThan(200_000);
  expect(card?.metadata.output.startsWith("BEGIN\n")).toBe(true);
  expect(card?.metadata.output).toContain("END");

  const url = new URL(`/api/executions/${card?.metadata.executionId}/outputs/${card?.metadata.outputFile}`, server.url);
  const response = await fetch(url, { headers: server.api.headers });
  let downloaded = 0;
  for await (const chunk of response.body ?? []) downloaded += chunk.byteLength;
  clearInterval(watch);
  expect(response.status).toBe(200);
  expect(downloaded).toBe(bytes + "BEGIN\n".length + "\nEND\n".length);
  expect(most - before).toBeLessThan(maxGrowth);

  for (const name of ["../../token", "..%2F..%2Ftoken", "no-such-file"]) {
    const refused = await fetch(new URL(`/api/executions/${card?.metadata.executionId}/outputs/${name}`, server.url), {
      headers: server.api.headers,
    });
    expect(refused.status).toBe(404);
  }
});
