import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { newFolder, newRepository } from "./support/repository.ts";

test("[R10, R11, Q8] a long conversation is summarised while it runs, continues, and the summary can be undone", async () => {
  const provider = await startModelServer({ api: "openai-chat", script: () => ({ text: `Counted. ${"word ".repeat(600)}` }) });
  const summarizer = await startModelServer({
    api: "openai-chat",
    script: () => ({ text: "SUMMARY: they counted.", usage: { inputTokens: 70_000, outputTokens: 900 } }),
  });
  for (const { close } of [provider, summarizer]) onTestFinished(close);
  const home = newFolder("home");
  mkdirSync(home, { recursive: true });
  const endpoint = { baseUrl: provider.url, apiKey: provider.apiKey, contextWindow: 10_000, models: ["small"] };
  const cheap = { baseUrl: summarizer.url, apiKey: summarizer.apiKey };
  const native = { summaryModel: "openai-chat/cheap/tiny" };
  writeFileSync(join(home, "config.json"), JSON.stringify({ native, providers: { endpoints: { local: endpoint, cheap } } }));
  const server = await startRealServer({ home });
  const task = await server.api.createTask((await server.api.createProject(newRepository())).id);
  const attempt = await server.api.createAttempt(task.id, { model: "openai-chat/local/small" });
  const stream = await openEventStream(server.api);
  const say = async (message: string) => {
    const { executionId } = await server.api.send(task.id, message);
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  };
  const summaries = async () => (await server.api.conversation(task.id)).messages.filter((message) => message.messageType === "summary");

  let turns = 0;
  while ((await summaries()).length === 0 && turns < 20) await say(`Count to ${turns++}`);
  expect(turns).toBeGreaterThan(2);
  expect(turns).toBeLessThan(20);
  expect((await summaries())[0]?.content).toContain("SUMMARY: they counted.");
  expect((await summaries())[0]?.content).toContain("Written by openai-chat/cheap/tiny from 70000 tokens in 900.");
  expect(summarizer.requests.map(({ body }) => (body as { model?: string }).model)).toEqual(["tiny"]);
  const executions = await server.api.executions(attempt.id);
  expect(executions).toMatchObject(Array.from({ length: turns }, () => ({ status: "success" })));
  // the usage of the summary is part of the usage of its execution
  const input = executions.map((execution) => (execution.status === "running" ? 0 : (execution.usage.inputTokens ?? 0)));
  expect(input.filter((tokens) => tokens > 70_000)).toHaveLength(1);

  // the next request has the summary instead of the first messages, which are all still stored
  await say("And now?");
  const compressed = JSON.stringify(provider.requests.at(-1)?.body);
  expect(compressed).toContain("SUMMARY: they counted.");
  expect(compressed).not.toContain('"Count to 0"');
  expect(JSON.stringify(await server.api.messages(attempt.id))).toContain("Count to 0");

  await server.api.request("POST", `/api/attempts/${attempt.id}/undo-compression`);
  await expect(server.api.request("POST", `/api/attempts/${attempt.id}/undo-compression`)).rejects.toMatchObject({ status: 409 });
  expect([...provider.violations, ...summarizer.violations]).toEqual([]);
});
