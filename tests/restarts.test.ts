import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { isLong } from "./support/long.ts";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

const restarts = isLong ? 20 : 6;

/** Counts until there is a file `stop.txt`. */
const counting = "n=0; while [ ! -e stop.txt ]; do n=$((n+1)); echo line $n; sleep 0.2; done; echo the end";
const model = newScriptedModel([
  { text: "Counting.", toolCalls: [{ name: "bash", arguments: { command: counting, timeoutMs: 600_000 } }] },
  { text: "Counted, in the end, to the last of all the numbers.", chunkDelayMs: 15 },
]);

test(`[Q7] ${restarts} restarts during one run: the server reattaches to the agent each time, with no byte lost or doubled`, {
  timeout: 300_000,
}, async () => {
  const server = await startRealServer();
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, { model });
  const { executionId = "" } = await server.api.send(task.id, "Count");
  for (let i = 0; i < restarts; i++) {
    await wait(Math.random() * 300);
    // as users do, and as the kernel does
    await (i % 2 === 0 ? server.stop() : server.kill());
    await server.start();
    expect(await server.api.executions(attempt.id)).toMatchObject([{ id: executionId, status: "running" }]);
  }
  const readLines = async () => {
    const card = (await server.api.conversation(task.id)).messages.find((message) => message.messageType === "tool_execution");
    return card?.messageType === "tool_execution" ? card.metadata.output.trim().split("\n") : [];
  };
  // agents run at a low priority: on a busy machine the restarts are faster than it counts
  await vi.waitFor(async () => expect((await readLines()).length).toBeGreaterThan(restarts), { timeout: 60_000, interval: 100 });
  const stream = await openEventStream(server.api, { after: 0 });
  writeFileSync(join(attempt.directory, "stop.txt"), "");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  expect(stream.seen.filter(({ event }) => event.type === "execution:started" || event.type === "execution:completed")).toHaveLength(2);
  expect(await server.api.executions(attempt.id)).toMatchObject([{ status: "success" }]);

  const { messages } = await server.api.conversation(task.id);
  expect(messages.map(({ messageType }) => messageType)).toEqual(["text", "text", "tool_execution", "text"]);
  const lines = await readLines();
  expect(lines.slice(-2)).toEqual(["the end", "[exit code 0]"]);
  const counted = lines.slice(0, -2);
  expect(counted.length).toBeGreaterThan(restarts);
  expect(counted).toEqual(counted.map((_, i) => `line ${i + 1}`));
  expect(messages.at(-1)?.content).toBe("Counted, in the end, to the last of all the numbers.");
  stream.close();
});

const quick = newScriptedModel([{ text: "Done." }]);

test("[Q7, E4] a stop at any moment after a message was sent: the server ends, and the next one handles the message", {
  timeout: 120_000,
}, async () => {
  const server = await startRealServer();
  const { id: projectId } = await server.api.createProject(newRepository());
  for (const pauseMs of isLong ? [0, 20, 60, 100, 140, 180, 220, 260] : [0, 60, 140, 220]) {
    const task = await server.api.createTask(projectId);
    const attempt = await server.api.createAttempt(task.id, { model: quick });
    const { executionId = "" } = await server.api.send(task.id, "Go");
    await wait(pauseMs);
    await server.stop();
    await server.start();
    const stream = await openEventStream(server.api, { after: 0 });
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    expect(await server.api.executions(attempt.id)).toMatchObject([{ id: executionId, status: "success" }]);
    stream.close();
  }
});
