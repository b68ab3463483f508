import type { CompressionSettings, GeneralSettings, Settings } from "@skein/contracts";
import { type ModelServer, startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { openEventStream } from "./support/event-stream.ts";
import { newRepository } from "./support/repository.ts";

const defaults: CompressionSettings = {
  enabled: true,
  auto: true,
  triggerMessages: null,
  triggerRatio: 0.8,
  keepRecentTurns: 2,
  model: null,
};

async function openServer() {
  const provider = await startModelServer({
    api: "openai-chat",
    script: ({ body }) =>
      said(body).at(-1)?.startsWith("Print")
        ? { toolCalls: [{ name: "bash", arguments: { command: "yes 'a line of output' | head -c 12000" } }] }
        : { text: `Answered. ${"word ".repeat(1500)}` },
  });
  const summarizer = await startModelServer({ api: "openai-chat", script: () => ({ text: "SUMMARY: they talked." }) });
  for (const { close } of [provider, summarizer]) onTestFinished(close);
  const endpoint = { baseUrl: provider.url, apiKey: provider.apiKey };
  const endpoints = {
    wide: { ...endpoint, contextWindow: 200_000 },
    narrow: { ...endpoint, contextWindow: 12_000 },
    cheap: { baseUrl: summarizer.url, apiKey: summarizer.apiKey },
  };
  const server = await startConfiguredServer({ providers: { endpoints } });
  const project = await server.api.createProject(newRepository());
  const stream = await openEventStream(server.api);
  onTestFinished(() => stream.close());

  return {
    provider,
    summarizer,
    server,
    settings: async () => (await server.api.request<Settings>("GET", "/api/settings")).general.compression,
    set: async (compression: Partial<CompressionSettings>) =>
      (await server.api.request<GeneralSettings>("PATCH", "/api/settings/general", { compression })).compression,
    async converse(model: string) {
      const task = await server.api.createTask(project.id);
      const attempt = await server.api.createAttempt(task.id, { model });
      const shown = async (type: string) =>
        (await server.api.conversation(task.id)).messages.filter(({ messageType }) => messageType === type);
      return {
        async say(message: string) {
          const { executionId } = await server.api.send(task.id, message);
          await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
          return (await server.api.executions(attempt.id)).find(({ id }) => id === executionId);
        },
        shown,
        summaries: async () => (await shown("summary")).length,
      };
    },
  };
}

/** The lines of the user messages in a request; empty for every other message. */
function said(body: unknown): string[] {
  const { messages } = body as { messages: { role: string; content: string | { text?: string }[] }[] };
  return messages.flatMap(({ role, content }) => {
    if (role !== "user") return [""];
    return (typeof content === "string" ? content : content.map(({ text }) => text).join("\n")).split("\n");
  });
}

/** Verbatim: quotes in a summary begin with another prefix. */
const lastSaid = ({ requests }: ModelServer) => said(requests.at(-1)?.body).filter((line) => line.startsWith("Say "));

test("[R10] each compression setting takes effect with the next message, and is kept", async () => {
  const { server, provider, summarizer, settings, set, converse } = await openServer();
  expect(await settings()).toEqual(defaults);
  const wide = await converse("openai-chat/wide/m");
  const summarized = async () => [await wide.summaries(), summarizer.requests.length];

  await wide.say("Say 1");
  await wide.say("Say 2");
  expect(await summarized()).toEqual([0, 0]);
  const first = { triggerMessages: 4, model: "openai-chat/cheap/tiny" };
  expect(await set(first)).toEqual({ ...defaults, ...first });
  await wide.say("Say 3");
  expect(await summarized()).toEqual([1, 1]);
  expect(lastSaid(provider)).toEqual(["Say 2", "Say 3"]);
  expect(summarizer.requests[0]?.body).toMatchObject({ model: "tiny" });

  // changing one leaves the others as they are, also after a restart
  await set({ auto: false, keepRecentTurns: 1 });
  await expect(set({ triggerRatio: 2 })).rejects.toMatchObject({ status: 400 });
  await expect(set({ keepRecentTurns: 0 })).rejects.toThrow(/keepRecentTurns/);
  await server.stop();
  await server.start();
  expect(await settings()).toEqual({ ...defaults, ...first, auto: false, keepRecentTurns: 1 });
});

test("[R10] not automatic: only /compact makes a summary; switched off: not even that", async () => {
  const { provider, summarizer, set, converse } = await openServer();
  await set({ auto: false, triggerMessages: 4, keepRecentTurns: 1, model: "openai-chat/cheap/tiny" });
  const wide = await converse("openai-chat/wide/m");
  const summarized = async () => [await wide.summaries(), summarizer.requests.length];
  for (const number of [1, 2, 3]) await wide.say(`Say ${number}`);
  expect(await summarized()).toEqual([0, 0]);
  expect(await wide.say("/compact")).toMatchObject({ status: "success" });
  expect(await summarized()).toEqual([1, 1]);
  await wide.say("Say 4");
  expect(lastSaid(provider)).toEqual(["Say 3", "Say 4"]);

  await set({ enabled: false, auto: true });
  expect(await wide.say("/compact")).toMatchObject({
    status: "failed",
    reason: "Compression is turned off. Nothing was changed. Turn it on in Settings → Conversations, then send /compact.",
  });
  expect(await summarized()).toEqual([1, 1]);
});

test("[R10] switched off, a conversation that outgrows the window is pruned without a model, and every message is sent", async () => {
  const { summarizer, set, converse } = await openServer();
  await set({ enabled: false, model: "openai-chat/cheap/tiny" });
  const narrow = await converse("openai-chat/narrow/m");
  const pruned = async () => (await narrow.shown("notice")).filter(({ content }) => content.startsWith("Compression is turned off, so"));
  for (let turn = 1; turn <= 4 && (await pruned()).length === 0; turn++) {
    expect(await narrow.say(`Print ${turn}`)).toMatchObject({ status: "success" });
  }
  expect((await pruned()).map(({ content }) => content)).toEqual([expect.stringMatching(/left out of requests.*Nothing was deleted\.$/)]);
  expect([await narrow.summaries(), summarizer.requests.length]).toEqual([0, 0]);
});

test("[R10] triggerRatio decides how full the window may get", async () => {
  const { summarizer, set, converse } = await openServer();
  await set({ triggerRatio: 0.95, model: "openai-chat/cheap/tiny" });
  const narrow = await converse("openai-chat/narrow/m");
  await narrow.say("Say 1");
  await narrow.say("Say 2");
  expect(summarizer.requests).toHaveLength(0);
  await set({ triggerRatio: 0.6 });
  await narrow.say("Say 3");
  expect(await narrow.summaries()).toBeGreaterThan(0);
});
