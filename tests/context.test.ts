import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Attempt, BuiltRequest, HistoryPage, NextRequest, RequestProvider } from "@skein/contracts";
import { stdioMcpServer } from "@skein/testkit/mcp-servers";
import { type ApiName, type ModelServer, type Reply, startModelServer } from "@skein/testkit/model-servers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { startConfiguredServer } from "./support/configured-server.ts";
import { openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const wait = { timeout: 60_000, interval: 200 };

/** A task with an attempt on a server, and the requests that these tests make. */
async function openAttempt(server: RealServer, input: { model?: string; agent?: string; repository?: string }) {
  const project = await server.api.createProject(input.repository ?? newRepository());
  const task = await server.api.createTask(project.id);
  const { model, agent } = input;
  const attempt = await server.api.createAttempt(task.id, {
    ...(model === undefined ? {} : { model }),
    ...(agent === undefined ? {} : { agent }),
  });
  const stream = await openEventStream(server.api);
  return {
    task,
    attempt,
    async say(message: string) {
      const { executionId } = await server.api.send(task.id, message);
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
      return executionId ?? "";
    },
    request: (query = "") => server.api.request<BuiltRequest>("GET", `/api/attempts/${attempt.id}/request${query}`),
    history: (query = "") => server.api.request<HistoryPage>("GET", `/api/attempts/${attempt.id}/history${query}`),
  };
}

/** Shared by tests that need no server of their own; starting one takes as long as a test. */
let shared: RealServer;
beforeAll(async () => {
  shared = await startRealServer({ keep: true });
});
afterAll(() => shared.stop());

describe("the shown body", () => {
  const models: Record<ApiName, string> = {
    anthropic: "anthropic/claude-sonnet-5",
    "openai-responses": "openai/gpt-5.5",
    "openai-chat": "openai-chat/local/small",
    gemini: "gemini/gemini-3.1-pro-preview",
  };
  const script: Reply[] = [
    { reasoning: "Look.", text: "I look.", toolCalls: [{ name: "bash", arguments: { command: "echo hello" } }] },
    { text: "There is a hello." },
    { text: "It was a greeting." },
    { text: "SUMMARY: a hello was found." },
    { text: "Nothing else." },
  ];
  const left: Partial<Record<ApiName, Reply[]>> = {};
  const start = (api: ApiName) =>
    startModelServer({ api, script: () => left[api]?.shift() ?? { text: "Nothing more." }, apiKey: "canary-provider-key" });
  let providers: Record<ApiName, ModelServer>;
  let server: RealServer;
  beforeAll(async () => {
    const [anthropic, responses, chat, gemini] = await Promise.all([
      start("anthropic"),
      start("openai-responses"),
      start("openai-chat"),
      start("gemini"),
    ]);
    providers = { anthropic, "openai-responses": responses, "openai-chat": chat, gemini };
    const environment = {
      ANTHROPIC_API_KEY: anthropic.apiKey,
      ANTHROPIC_BASE_URL: anthropic.url,
      OPENAI_API_KEY: responses.apiKey,
      OPENAI_BASE_URL: responses.url,
      GEMINI_API_KEY: gemini.apiKey,
      GOOGLE_GEMINI_BASE_URL: gemini.url,
    };
    const local = { baseUrl: chat.url, apiKey: chat.apiKey, models: ["small"] };
    server = await startConfiguredServer({ providers: { endpoints: { local } } }, environment, { keep: true });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(Object.values(providers).map((provider) => provider.close()));
  });

  test.each(Object.entries(models) as [ApiName, string][])(
    "[C2, C3] is the body that is then sent, at first, later and after a compression: %s",
    async (api, model) => {
      const provider = providers[api];
      left[api] = [...script];
      const violations = provider.violations.length;
      const { say, request } = await openAttempt(server, { model });
      const shown: BuiltRequest[] = [];
      const ask = async (message: string) => {
        const before = provider.requests.length;
        const preview = await request(`?message=${encodeURIComponent(message)}`);
        shown.push(preview);
        await say(message);
        expect(provider.requests[before]?.body).toEqual(preview.body);
      };
      await ask("Look around.");
      await ask("What was it?");
      await say("/compact");
      await ask("Anything else?");
      expect(provider.violations.slice(violations)).toEqual([]);

      const [first, second, third] = shown;
      expect(first).toMatchObject({ type: "request", provider: api, defaultProvider: api, model, nextMessage: "given" });
      expect(first?.steps).toEqual([
        { step: "compression", messages: 1 },
        { step: "filtering", messages: 1 },
        { step: "tool-pairs", messages: 1 },
        { step: "system-prompts", messages: 2 },
        { step: "validation", messages: 2 },
      ]);
      // user, call, result, answer, user
      expect(second?.steps[0]?.messages).toBe(5);
      expect(third?.parts.map(({ part }) => part)).toContain("summary");
      expect(third?.system).toContain("You are Skein's coding agent");
      expect(third?.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["read", "bash", "ask", "task"]));
      expect(third?.tokens).toBe(third?.parts.reduce((sum, { tokens }) => sum + tokens, 0));
      expect(JSON.stringify(shown)).not.toContain("canary");
    },
  );
});

test("[C2, R10] a compression that precedes the request is reported with what it replaces", async () => {
  const server = await startRealServer();
  const model = newScriptedModel([{ text: "One." }]);
  const { attempt, say, request } = await openAttempt(server, { model });
  await say("First and so on");
  await say("Second");
  expect((await request()).compression).toBeNull();
  await server.api.request("PATCH", "/api/settings/general", { compression: { triggerMessages: 4, keepRecentTurns: 1 } });
  const { compression, body } = await request();
  expect(compression).toEqual({
    type: "summarize",
    reason: "message-count",
    messages: 4,
    tokens: expect.any(Number),
    replacesSummary: false,
    keptMessages: 1,
  });
  expect(JSON.stringify(body)).toContain("First and so on");
  const run = promisify(execFile)(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    skeinProgram,
    "context",
    attempt.id,
    "--home",
    server.home,
  ]);
  expect((await run).stdout).toMatch(/^Compressed before it is sent: a new summary replaces 4 messages \(about [\d,]+ tokens\)/m);
});

test("[C2] without a message there is a placeholder, and every other provider's format can be requested", async () => {
  const server = shared;
  const { say, request, attempt } = await openAttempt(server, { model: newScriptedModel([{ text: "Hello." }]) });
  await say("Hi");
  const own = await request();
  expect(own).toMatchObject({ provider: "scripted", nextMessage: "placeholder", model: attempt.model });
  expect(JSON.stringify(own.body)).toContain("[your next message]");
  const marks: Record<RequestProvider, string> = {
    anthropic: "max_tokens",
    "openai-chat": "messages",
    "openai-responses": "instructions",
    gemini: "systemInstruction",
    scripted: "tools",
  };
  for (const [provider, mark] of Object.entries(marks)) {
    const { body, model, provider: chosen } = await request(`?provider=${provider}`);
    expect(chosen).toBe(provider);
    expect(body).toHaveProperty(mark);
    // Gemini has the model in its URL
    if (provider !== "scripted" && provider !== "gemini") expect(body).toHaveProperty("model", model.slice(model.indexOf("/") + 1));
  }
  await expect(request("?provider=nobody")).rejects.toThrow(/400/);
});

test("[C2, X11] keys of the config, of endpoints, of the environment and of MCP servers appear in nothing that is shown", async () => {
  const keys = {
    config: "canary-config",
    endpoint: "canary-endpoint",
    header: "canary-header",
    environment: "canary-environment",
    mcpEnvironment: "canary-mcp-environment",
    mcpHeader: "canary-mcp-header",
  };
  const server = await startConfiguredServer(
    {
      providers: {
        anthropic: { apiKey: keys.config },
        endpoints: { paid: { baseUrl: "http://127.0.0.1:9/v1", apiKey: keys.endpoint, headers: { "x-auth": keys.header }, models: ["m"] } },
      },
      mcpServers: {
        demo: { ...stdioMcpServer(), env: { TOKEN: keys.mcpEnvironment } },
        remote: { url: "http://127.0.0.1:9/mcp", headers: { authorization: keys.mcpHeader } },
      },
    },
    { OPENAI_API_KEY: keys.environment, GEMINI_API_KEY: keys.environment },
  );
  const { attempt, say, request, history } = await openAttempt(server, { model: newScriptedModel([{ text: "Hello." }]) });
  // before the first execution, the servers' tools are not known: the response reports that and starts no server
  expect(await request()).toMatchObject({ unknownMcpServers: ["demo", "remote"] });
  const executionId = await say("Hi");
  const after = await request();
  expect(after.unknownMcpServers).toEqual(["remote"]);
  expect(after.tools.map(({ name }) => name)).toContain("mcp__demo__echo");
  const shown = [JSON.stringify(await history())];
  for (const model of [attempt.model, "anthropic/claude-sonnet-5", "openai-chat/paid/m", "openai/gpt-5.4", "gemini/gemini-2.5-pro"]) {
    await server.api.request("PATCH", `/api/attempts/${attempt.id}`, { model });
    shown.push(JSON.stringify(await request()));
  }
  const folder = join(server.home, "executions", executionId);
  for (const file of ["debug.log", "mcp-tools.json"]) shown.push(readFileSync(join(folder, file), "utf8"));
  for (const text of shown) expect(text).not.toContain("canary");
});

test("[C2] with MCP servers the shown body is the body that is sent", async () => {
  const provider = await startModelServer({ api: "openai-chat", script: [{ text: "One." }, { text: "Two." }] });
  onTestFinished(() => provider.close());
  const server = await startConfiguredServer(
    { mcpServers: { demo: stdioMcpServer() } },
    { OPENAI_API_KEY: provider.apiKey, OPENAI_BASE_URL: provider.url },
  );
  const { say, request } = await openAttempt(server, { model: "openai-chat/gpt-5.5" });
  await say("One");
  const preview = await request("?message=Two");
  await say("Two");
  expect(JSON.stringify(preview.body)).toContain("mcp__demo__echo");
  expect(provider.requests[1]?.body).toEqual(preview.body);
});

test("[R7] an execution's debug log has the message count after each step of each request", async () => {
  const server = shared;
  const model = newScriptedModel([{ text: "I look.", toolCalls: [bash("echo hi")] }, { text: "Done." }]);
  const { say } = await openAttempt(server, { model });
  const executionId = await say("Look.");
  const log = readFileSync(join(server.home, "executions", executionId, "debug.log"), "utf8");
  const lines = log.trim().split("\n");
  expect(lines.map((line) => line.slice(line.indexOf("[")))).toEqual([
    "[RequestMessageBuilder] Starting message build pipeline",
    "[RequestMessageBuilder] After compression: 1 messages",
    "[RequestMessageBuilder] After filtering: 1 messages",
    "[RequestMessageBuilder] After orphaned tool fix: 1 messages",
    "[RequestMessageBuilder] After system prompts: 2 messages",
    "[RequestMessageBuilder] Validation passed: 2 messages",
    "[RequestMessageBuilder] Starting message build pipeline",
    "[RequestMessageBuilder] After compression: 3 messages",
    "[RequestMessageBuilder] After filtering: 3 messages",
    "[RequestMessageBuilder] After orphaned tool fix: 3 messages",
    "[RequestMessageBuilder] After system prompts: 4 messages",
    "[RequestMessageBuilder] Validation passed: 4 messages",
  ]);
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \[/);
});

test("[C1] the history is there while the agent works, and stays the same when it has ended", async () => {
  const server = shared;
  const model = newScriptedModel([
    { text: "I look.", toolCalls: [bash("echo hi")] },
    { text: "And wait.", toolCalls: [bash("while [ ! -e go ]; do sleep 0.05; done")] },
    { text: "Done." },
  ]);
  const { task, attempt, history, request } = await openAttempt(server, { model });
  await server.api.send(task.id, "Look.");
  const live = await vi.waitFor(async () => {
    const page = await history();
    expect(page.messages.map(({ body }) => body.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    return page;
  }, wait);
  expect(live).toMatchObject({ offset: 0, total: 4, settled: 0 });
  expect(live.messages.every(({ isLive }) => isLive)).toBe(true);
  expect((await history("?offset=-3&limit=2")).messages).toEqual(live.messages.slice(1, 3));
  // a running turn continues by itself: what it would send now has no new message, and its open call is answered
  expect(await request()).toMatchObject({ nextMessage: "none", steps: [{ messages: 4 }, { messages: 4 }, { messages: 5 }, {}, {}] });

  writeFileSync(join(attempt.directory, "go"), "");
  const ended = await vi.waitFor(async () => {
    const page = await history();
    expect(page).toMatchObject({ total: 6, settled: 6 });
    return page;
  }, wait);
  expect(ended.messages.slice(0, 4).map(({ id }) => id)).toEqual(live.messages.map(({ id }) => id));
  expect(ended.messages.some(({ isLive }) => isLive)).toBe(false);
  expect(ended.messages.map(({ size }) => size.isEstimate)).toEqual([true, false, true, false, true, false]);
  const part = await history("?offset=2&limit=2");
  expect(part.messages).toEqual(ended.messages.slice(2, 4));
  const newest = await history("?offset=-2&limit=2");
  expect(newest).toEqual({ ...ended, offset: 4, messages: ended.messages.slice(4) });
  expect(await history("?offset=-100")).toEqual(ended);
});

test("[C1] an attempt that continues another one shows what it inherited; long messages are loaded one by one", async () => {
  const server = shared;
  const long = "word ".repeat(5000);
  const first = await openAttempt(server, { model: newScriptedModel([{ text: long }]) });
  await first.say("Tell me.");
  const continued = await server.api.request<Attempt>("POST", `/api/tasks/${first.task.id}/attempts`, {
    agent: "native",
    model: newScriptedModel([{ text: "Not used." }, { text: "And so on." }]),
    continueFrom: first.attempt.id,
  });
  const stream = await openEventStream(server.api);
  const { executionId } = await server.api.send(first.task.id, "More.");
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  const read = (query = "") => server.api.request<HistoryPage>("GET", `/api/attempts/${continued.id}/history${query}`);
  const { messages, total } = await read();
  expect(total).toBe(4);
  expect(messages.map(({ isInherited, body }) => [isInherited, body.role])).toEqual([
    [true, "user"],
    [true, "assistant"],
    [false, "user"],
    [false, "assistant"],
  ]);
  expect((await read("?offset=1&limit=2")).messages).toEqual(messages.slice(1, 3));
  const shortened = messages[1];
  expect(shortened?.isShortened).toBe(true);
  expect(JSON.stringify(shortened?.body).length).toBeLessThan(3000);
  const path = `/api/attempts/${continued.id}/history/message?messageId=${shortened?.id}`;
  expect(await server.api.request("GET", path)).toMatchObject({ isShortened: false, body: { role: "assistant", content: long } });
  await expect(server.api.request("GET", `/api/attempts/${continued.id}/history/message?messageId=msg_none`)).rejects.toThrow(/404/);
});

test("[C2] another agent builds its own requests: the transcript that Skein keeps is shown", async () => {
  const server = shared;
  const first = await openAttempt(server, { model: newScriptedModel([{ text: "The answer is 42." }]) });
  await first.say("What is it?");
  const codex = await server.api.request<Attempt>("POST", `/api/tasks/${first.task.id}/attempts`, {
    agent: "codex",
    continueFrom: first.attempt.id,
  });
  const shown = await server.api.request<NextRequest>("GET", `/api/attempts/${codex.id}/request`);
  expect(shown).toMatchObject({ type: "transcript", agentName: "Codex", transcript: expect.stringContaining("The answer is 42.") });
});

test("[C2] a request that cannot be built reports why", async () => {
  const server = shared;
  const model = newScriptedModel([{ text: "Never." }]);
  const { request } = await openAttempt(server, { model });
  rmSync(model.slice("scripted/".length));
  await expect(request()).rejects.toThrow(/409 model-unknown-model: The next request cannot be built\. The script of "scripted\//);
});

test("[C3] skein context prints the steps and the shares, or everything as JSON", async () => {
  const server = shared;
  const { attempt, say } = await openAttempt(server, { model: newScriptedModel([{ text: "Hello." }]) });
  await say("Hi");
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      skeinProgram,
      "context",
      ...args,
      "--home",
      server.home,
    ]);
  const { stdout } = await run(attempt.id, "--provider", "anthropic");
  expect(stdout).toMatch(/^Next request to anthropic\/\S+ \(anthropic\)$/m);
  expect(stdout).toMatch(/^After compression +3$/m);
  expect(stdout).toMatch(/^System prompt +1 +[\d,]+ +\d+\.\d %$/m);
  expect(stdout).toMatch(/^Tools: read, write, edit, bash/m);
  const json = JSON.parse((await run(attempt.id, "--json", "--message", "Next")).stdout) as BuiltRequest;
  expect(json).toMatchObject({ type: "request", nextMessage: "given", provider: "scripted" });
  await expect(run("exe_1")).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("is not the id of a task") });
});
