import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ApiName, type ModelServer, type Reply, startModelServer, type ToolCallReply } from "@skein/testkit/model-servers";
import { describe, expect, onTestFinished, test } from "vitest";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";

const broken = "export function add(a, b) {\n  return a - b;\n}\n";
const check =
  'import { add } from "./add.js";\nif (add(2, 3) !== 5) {\n  console.error("add(2, 3) is", add(2, 3));\n  process.exit(1);\n}\nconsole.log("ok");\n';

const call = (name: string, input: Record<string, unknown>): ToolCallReply[] => [{ name, arguments: input, fragments: 3 }];

/** The model's steps; between them everything goes wrong that can go wrong with a provider. */
function fixingSteps(): Reply[] {
  return [
    { error: { status: 429, retryAfterSec: 0 } },
    { reasoning: "Tests first.", text: "I run the check.", toolCalls: call("bash", { command: "node check.js" }) },
    { text: "I look for it.", toolCalls: [...call("grep", { pattern: "a - b" }), ...call("read", { path: "add.js" })] },
    { text: "This text is cut in its middle, and must not be there twice.", cutAfterBytes: 350 },
    { error: { status: 529 } },
    { text: "A minus where a plus belongs.", toolCalls: call("edit", { path: "add.js", oldText: "a - b", newText: "a + b" }) },
    { text: "Again.", toolCalls: call("bash", { command: "node check.js" }) },
    { text: "I clean up.", toolCalls: call("bash", { command: "rm check.js" }) },
    { text: "The check passes: `add` subtracted. The file stays.", usage: { inputTokens: 1000, outputTokens: 50 } },
  ];
}

/** What follows: a question, `/compact`, and a task that is done from the summary. */
function laterSteps(): Reply[] {
  return [
    { reasoning: "They want to know.", text: "A minus sign." },
    { text: "SUMMARY: add subtracted, the minus became a plus, check.js stays." },
    { reasoning: "Look once more.", text: "I read it.", toolCalls: call("read", { path: "add.js" }) },
    { text: "It adds." },
  ];
}

const apis: { api: ApiName; model: string; key: string; base: string }[] = [
  { api: "anthropic", model: "anthropic/claude-sonnet-5", key: "ANTHROPIC_API_KEY", base: "ANTHROPIC_BASE_URL" },
  { api: "openai-responses", model: "openai/gpt-5.5", key: "OPENAI_API_KEY", base: "OPENAI_BASE_URL" },
  { api: "openai-chat", model: "openai-chat/gpt-5.5", key: "OPENAI_API_KEY", base: "OPENAI_BASE_URL" },
  { api: "gemini", model: "gemini/gemini-3.1-pro-preview", key: "GEMINI_API_KEY", base: "GOOGLE_GEMINI_BASE_URL" },
];

function newBrokenRepository(): string {
  const repository = newRepository("calculator");
  writeFileSync(join(repository, "add.js"), broken);
  writeFileSync(join(repository, "check.js"), check);
  writeFileSync(join(repository, "package.json"), '{ "type": "module" }\n');
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "broken");
  return repository;
}

async function startProvider(api: ApiName, script: Reply[]): Promise<ModelServer> {
  const provider = await startModelServer({ api, script });
  onTestFinished(() => provider.close());
  return provider;
}

/** Until the execution has ended, allows everything except the one command that deletes. */
async function answerApprovals(server: RealServer, stream: EventStream, executionId: string | undefined): Promise<void> {
  const answered = new Set<string>();
  for (;;) {
    const { event } = await stream.waitFor(({ event }) => {
      if (event.type === "execution:completed") return event.executionId === executionId;
      return event.type === "approval:requested" && event.approval.executionId === executionId && !answered.has(event.approval.id);
    });
    if (event.type !== "approval:requested") return;
    answered.add(event.approval.id);
    const isDeletion = JSON.stringify(event.approval.input).includes("rm check.js");
    const answer = isDeletion ? { decision: "deny", reason: "Keep the check." } : { decision: "allow" };
    await server.api.request("POST", `/api/approvals/${event.approval.id}`, answer);
  }
}

describe.each(apis)("$api, by its real SDK", ({ api, model, key, base }) => {
  test("[N1, N2, R10] fixes a failing check, through a retry, an overload, a cut stream and a denied command, and continues from a summary", async () => {
    const provider = await startProvider(api, [...fixingSteps(), ...laterSteps()]);
    const server = await startRealServer({ environment: { [key]: provider.apiKey, [base]: provider.url } });
    const project = await server.api.createProject(newBrokenRepository());
    const task = await server.api.createTask(project.id, "Make the check pass");
    const attempt = await server.api.createAttempt(task.id, { model, permissionMode: "ask" });
    const stream = await openEventStream(server.api);
    const say = async (message: string) => answerApprovals(server, stream, (await server.api.send(task.id, message)).executionId);
    await say("node check.js fails. Fix it.");

    expect(provider.violations).toEqual([]);
    expect(await server.api.executions(attempt.id)).toMatchObject([{ reason: null, status: "success", exitCode: 0 }]);
    expect(readFileSync(join(attempt.directory, "add.js"), "utf8")).toContain("a + b");
    expect(execFileSync(process.execPath, ["check.js"], { cwd: attempt.directory, encoding: "utf8" })).toBe("ok\n");

    const { messages } = await server.api.conversation(task.id);
    const cards = messages.filter((message) => message.messageType === "tool_execution");
    expect(cards.map((card) => [card.metadata.toolName, card.metadata.state])).toEqual([
      ["bash", "failed"],
      ["grep", "completed"],
      ["read", "completed"],
      ["edit", "completed"],
      ["bash", "completed"],
      ["bash", "denied"],
    ]);
    const said = messages.filter((message) => message.messageType === "text").map((message) => message.content);
    expect(said.filter((text) => text.includes("cut in its middle"))).toEqual([]);
    expect(said.at(-1)).toBe("The check passes: `add` subtracted. The file stays.");
    // the next request begins with the content of the last one: nothing is rebuilt from the database in between (P3)
    expect(provider.requests.length).toBe(fixingSteps().length);

    for (const message of ["What was it?", "/compact keep the names", "Read it once more."]) await say(message);
    expect(provider.violations).toEqual([]);
    expect((await server.api.executions(attempt.id)).map(({ status }) => status)).toEqual(Array(4).fill("success"));
    expect(provider.requests.length).toBe(fixingSteps().length + laterSteps().length);
    const later = (await server.api.conversation(task.id)).messages.slice(messages.length);
    expect(later.map((message) => message.messageType)).toEqual([
      ...["text", "thinking", "text"], // the question and its answer
      ...["text", "summary"], // /compact and its summary
      ...["text", "thinking", "text", "tool_execution", "text"],
    ]);
    const last = JSON.stringify(provider.requests.at(-1)?.body);
    expect(last).toContain("SUMMARY: add subtracted");
    expect(last).toContain("> node check.js fails. Fix it.");
    expect(last).toContain("What was it?");
    expect(last).not.toContain("I run the check.");
    expect(JSON.stringify(await server.api.messages(attempt.id))).toContain("I run the check.");
  });
});

test("[N1] the reasoning effort of config.json is sent with every request, a subagent's too", async () => {
  const provider = await startProvider("openai-responses", [
    { toolCalls: call("task", { description: "Look", prompt: "Look around." }) },
    { text: "Nothing there." },
    { text: "Done." },
  ]);
  const home = newFolder("home");
  writeFileSync(join(home, "config.json"), JSON.stringify({ native: { reasoningEffort: "low" } }));
  const server = await startRealServer({ home, environment: { OPENAI_API_KEY: provider.apiKey, OPENAI_BASE_URL: provider.url } });
  const project = await server.api.createProject(newBrokenRepository());
  const task = await server.api.createTask(project.id, "Think little");
  await server.api.createAttempt(task.id, { model: "openai/gpt-5.5", permissionMode: "full" });
  const stream = await openEventStream(server.api);
  await server.api.send(task.id, "Look around.");
  await stream.waitFor(({ event }) => event.type === "execution:completed");
  const efforts = provider.requests.map(({ body }) => (body as { reasoning?: { effort?: string } }).reasoning?.effort);
  expect(efforts).toEqual(["low", "low", "low"]);
});

describe("one conversation, four providers", () => {
  test("[Q10, R8] anthropic → openai → gemini → anthropic: every request is accepted, and the first gets its signatures back", async () => {
    const answer = (text: string): Reply[] => [
      { reasoning: `Thinking for ${text}.`, text: `${text} looks.`, toolCalls: call("bash", { command: "ls" }) },
      { reasoning: "Done thinking.", text },
    ];
    const [anthropic, openai, gemini] = [
      await startProvider("anthropic", [...answer("First"), ...answer("Fourth")]),
      await startProvider("openai-responses", answer("Second")),
      await startProvider("gemini", answer("Third")),
    ];
    const server = await startRealServer({
      environment: {
        ANTHROPIC_API_KEY: anthropic.apiKey,
        ANTHROPIC_BASE_URL: anthropic.url,
        OPENAI_API_KEY: openai.apiKey,
        OPENAI_BASE_URL: openai.url,
        GEMINI_API_KEY: gemini.apiKey,
        GOOGLE_GEMINI_BASE_URL: gemini.url,
      },
    });
    const project = await server.api.createProject(newBrokenRepository());
    const task = await server.api.createTask(project.id, "Move around");
    const attempt = await server.api.createAttempt(task.id, { model: "anthropic/claude-sonnet-5" });
    const stream = await openEventStream(server.api);
    for (const model of ["anthropic/claude-sonnet-5", "openai/gpt-5.5", "gemini/gemini-3.1-pro-preview", "anthropic/claude-sonnet-5"]) {
      await server.api.request("PATCH", `/api/attempts/${attempt.id}`, { model });
      const { executionId } = await server.api.send(task.id, `Now you, ${model}`);
      await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    }
    expect([...anthropic.violations, ...openai.violations, ...gemini.violations]).toEqual([]);
    expect((await server.api.executions(attempt.id)).map((execution) => execution.status)).toEqual(Array(4).fill("success"));
    const { messages } = await server.api.conversation(task.id);
    expect(
      messages.filter((message) => message.messageType === "text" && message.role === "assistant").map((message) => message.content),
    ).toEqual(["First", "Second", "Third", "Fourth"].flatMap((text) => [`${text} looks.`, text]));
    const signatures = (n: number) => JSON.stringify(anthropic.requests[n]?.body).match(/"signature":"[^"]+"/g) ?? [];
    expect(signatures(2)).toEqual(expect.arrayContaining(signatures(1)));
    expect(signatures(1).length).toBeGreaterThan(0);
  });
});
