import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@skein/contracts";
import { type Reply, startModelServer, type ToolCallReply } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test, vi } from "vitest";
import { openAgentTask } from "../support/agent-task.ts";
import { isLong } from "../support/long.ts";
import { git, newFolder, newRepository } from "../support/repository.ts";
import { askAndAllow, cliFolder, findSession, findTools, pixel, stopAtWork, toShownLines, toTurns, wait } from "./acp-scenarios.ts";
import { opencodeEnvironment } from "./agents/opencode-environment.ts";

// the package's own start file needs its install script, which is not run
const program = join(cliFolder, `../opencode-${process.platform}-${process.arch}/bin/opencode`);

const bash = (command: string): ToolCallReply => ({ name: "bash", arguments: { command, description: "Runs it" } });
const write = (filePath: string, content: string): ToolCallReply => ({ name: "write", arguments: { filePath, content } });

async function openOpencode(
  replies: readonly Reply[],
  options: { permissionMode?: PermissionMode; repository?: string; apiKey?: string } = {},
) {
  const left = [...replies];
  // it generates a title alongside the work, with a request without tools
  const hasTools = (body: unknown): boolean => typeof body === "object" && body !== null && "tools" in body;
  const model = await startModelServer({
    api: "openai-chat",
    script: ({ body }) => (hasTools(body) ? (left.shift() ?? { text: "Nothing more." }) : { text: "A title" }),
  });
  onTestFinished(() => model.close());
  const home = newFolder("opencode-home");
  mkdirSync(join(home, ".config/opencode"), { recursive: true });
  const script = {
    name: "Script",
    tool_call: true,
    attachment: true,
    modalities: { input: ["text", "image"], output: ["text"] },
    limit: { context: 128_000, output: 8000 },
    cost: { input: 1, output: 2 },
  };
  const provider = {
    npm: "@ai-sdk/openai-compatible",
    options: { baseURL: model.url, apiKey: options.apiKey ?? model.apiKey },
    models: { script, other: script },
  };
  writeFileSync(
    join(home, ".config/opencode/opencode.json"),
    JSON.stringify({ model: "scripted/other", provider: { scripted: provider } }),
  );
  const task = await openAgentTask({
    config: { agents: { opencode: { command: [program] } } },
    environment: {
      HOME: home,
      ...opencodeEnvironment(home),
      ANTHROPIC_API_KEY: "must-not-be-seen",
    },
    ...(options.repository === undefined ? {} : { repository: options.repository }),
    attempt: { agent: "opencode", model: "scripted/script", permissionMode: options.permissionMode ?? "full" },
  });
  const requests = () => model.requests.filter(({ body }) => hasTools(body));
  return { model, task, home, requests };
}

// most of it is in the stories of every agent
test.runIf(isLong)(
  "[T9, E9, Q5, Q7] full access: no questions, images, usage; kill -9 of the server in the middle loses and doubles nothing",
  async () => {
    const { model, task, requests } = await openOpencode([
      { text: ["I will ", "write."], toolCalls: [write("made.txt", "one\ntwo\n")] },
      { toolCalls: [bash("env > env.txt; until [ -e gate ]; do sleep 0.1; done; echo printed; exit 3")] },
      {
        toolCalls: [{ name: "todowrite", arguments: { todos: [{ id: "1", content: "Look", status: "in_progress", priority: "high" }] } }],
      },
      { text: "All done." },
    ]);
    const executionId = await task.send("Look at this", [pixel]);
    await vi.waitFor(() => expect(existsSync(join(task.attempt.directory, "env.txt"))).toBe(true), wait);
    await task.server.kill();
    writeFileSync(join(task.attempt.directory, "gate"), "");
    await task.server.start();
    const execution = await task.ended(executionId);
    expect(execution).toMatchObject({ status: "success", exitCode: 0 });
    expect(execution.status !== "running" && execution.usage.inputTokens).toBeGreaterThan(0);
    const messages = await task.conversation();
    expect(toShownLines(messages).filter((line) => !line.startsWith("["))).toEqual([
      "text Look at this",
      "text I will write.",
      "text All done.",
    ]);
    expect(findTools(messages).map(({ metadata }) => [metadata.toolName, metadata.state, metadata.details?.type])).toEqual([
      ["write", "completed", "diff"],
      ["bash", "completed", "commandOutput"],
      ["todowrite", "completed", "todoList"],
    ]);
    expect(findTools(messages)[1]?.metadata.details).toMatchObject({ data: { exitCode: 3 } });
    expect(readFileSync(join(task.attempt.directory, "made.txt"), "utf8")).toBe("one\ntwo\n");
    expect(readFileSync(join(task.attempt.directory, "env.txt"), "utf8")).not.toContain("must-not-be-seen");
    expect(requests()[0]?.model).toBe("script");
    expect(JSON.stringify(requests()[0]?.body)).toContain(pixel.data);
    expect(model.violations).toEqual([]);
  },
);

// what it is asked and how it is stopped is in its story, and a lost session of this protocol in gemini.test.ts
test.runIf(isLong)(
  "[E3, E10, Q6, X17] allowed once, permanently or denied; the session continues after that, after a stop, and when it is lost",
  async () => {
    const { task, home, requests } = await openOpencode([...toTurns(bash, write, ["I see."]), { text: "I know." }], {
      permissionMode: "ask",
    });
    await askAndAllow(task, { toolName: "bash", editInput: (filepath) => ({ filepath, diff: expect.stringContaining("+one") }) });
    expect(JSON.stringify(requests().at(-1)?.body)).toContain("Leave git alone.");
    expect((await task.conversation()).at(-1)?.content).toBe("I see.");
    const sessionId = await findSession(task);

    await stopAtWork(task);
    expect(await findSession(task)).toBe(sessionId);
    expect(JSON.stringify(requests().at(-1)?.body)).toContain("I see.");
    const shown = toShownLines(await task.conversation());
    expect(shown.filter((line) => line === "text I see.")).toHaveLength(1);

    rmSync(join(home, ".local/share/opencode"), { recursive: true });
    expect(await task.run("And now?")).toMatchObject({ status: "success" });
    expect(await findSession(task)).not.toBe(sessionId);
    const restarted =
      "notice opencode no longer knows the session of this conversation. A new one was started, with the conversation so far.";
    expect(toShownLines(await task.conversation())).toEqual([...shown, "text And now?", restarted, "text I know."]);
    expect(JSON.stringify(requests().at(-1)?.body)).toContain("I see.");
  },
);

test("[X10] in accept-edits ordinary files are written at once, and agent settings need an approval", async () => {
  const { task } = await openOpencode(
    [{ toolCalls: [write("plain.txt", "x\n")] }, { toolCalls: [write("opencode.json", "{}\n")] }, { text: "Done." }],
    { permissionMode: "accept-edits" },
  );
  const executionId = await task.send("Do it");
  const asked = await task.pendingApproval();
  expect(JSON.stringify(asked.input)).toContain("opencode.json");
  expect(readFileSync(join(task.attempt.directory, "plain.txt"), "utf8")).toBe("x\n");
  await task.answer(asked, { decision: "deny" });
  await task.ended(executionId);
  expect(existsSync(join(task.attempt.directory, "opencode.json"))).toBe(false);
});

// Gemini CLI reports it in the same way
test.runIf(isLong)("an API error is the execution's reason", async () => {
  const { task } = await openOpencode([], { apiKey: "wrong" });
  const execution = await task.run("Do it");
  expect(execution).toMatchObject({ status: "failed", reason: expect.stringMatching(/api key/i) });
});

test("[X8] a repository whose settings it would run is refused, and the instructions of one that is not trusted are read", async () => {
  const hostile = newRepository();
  const trace = join(newFolder("trace"), "ran");
  mkdirSync(join(hostile, ".opencode/plugin"), { recursive: true });
  const plugin = `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(trace)}, "plugin\\n");\n`;
  writeFileSync(join(hostile, ".opencode/plugin/evil.js"), plugin);
  git(hostile, "add", "--all", "--force");
  git(hostile, "commit", "--quiet", "--message", "settings");
  const refused = await openOpencode([{ text: "never" }], { repository: hostile });
  const reason = expect.stringContaining("(.opencode), and opencode cannot be started without them");
  expect(await refused.task.run("Do it")).toMatchObject({ status: "failed", reason });
  expect([existsSync(trace), refused.requests()]).toEqual([false, []]);

  const repository = newRepository();
  mkdirSync(join(repository, ".claude"));
  writeFileSync(join(repository, ".claude/settings.json"), "{}");
  writeFileSync(join(repository, "AGENTS.md"), "Always say please.\n");
  git(repository, "add", "--all", "--force");
  git(repository, "commit", "--quiet", "--message", "words");
  const { task, requests } = await openOpencode([{ text: "Please." }], { repository });
  expect(await task.run("Do it")).toMatchObject({ status: "success" });
  expect(JSON.stringify(requests()[0]?.body)).toContain("Always say please.");
});

test("[E10, N3] its plan mode ends with a plan: sent back, edited, and carried out in the mode of its approval", async () => {
  const { task, requests } = await openOpencode(
    [{ text: "1. Do it." }, { text: "1. Do it.\n2. Test it." }, { toolCalls: [write("made.txt", "one\n")] }, { text: "All done." }],
    { permissionMode: "plan" },
  );
  const executionId = await task.send("Plan it");
  const first = await task.pendingApproval();
  expect(first).toMatchObject({ toolName: "exit_plan", input: { plan: "1. Do it." } });
  expect(JSON.stringify(requests()[0]?.body)).toContain("Plan mode");
  await task.answer(first, { decision: "deny", reason: "Also test it." });
  const second = await vi.waitFor(async () => {
    const approval = await task.pendingApproval();
    expect(approval.id).not.toBe(first.id);
    return approval;
  }, wait);
  expect(second.input).toEqual({ plan: "1. Do it.\n2. Test it." });
  expect(JSON.stringify(requests().at(-1)?.body)).toContain("Also test it.");
  await task.answer(second, { decision: "allow", plan: { mode: "accept-edits", text: "Only `made.txt`." } });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(readFileSync(join(task.attempt.directory, "made.txt"), "utf8")).toBe("one\n");
  expect(JSON.stringify(requests().at(-1)?.body)).toContain("Only `made.txt`.");
  expect(findTools(await task.conversation()).map(({ metadata }) => [metadata.toolName, metadata.state])).toEqual([
    ["exit_plan", "denied"],
    ["exit_plan", "completed"],
    ["write", "completed"],
  ]);
});
