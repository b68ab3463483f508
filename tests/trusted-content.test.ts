import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Attempt, ConversationMessage, DeletionResult, McpServerList, ProjectScripts, Task, TrustChange } from "@skein/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForEnd } from "./support/execution-end.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

type Api = Awaited<ReturnType<typeof startRealServer>>["api"];

let shared: Awaited<ReturnType<typeof startRealServer>>;
beforeAll(async () => {
  shared = await startRealServer({ keep: true });
});
afterAll(() => shared.stop());

/** A small MCP server that needs no package; each start appends the version of `lib.mjs` to a trace. */
const server = (trace: string) => `import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { version } from "./tools/lib.mjs";
appendFileSync(${JSON.stringify(trace)}, version + "\\n");
const echo = { name: "echo", description: "Says it again", inputSchema: { type: "object" } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  const result = {
    initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "demo", version: "1" } },
    "tools/list": { tools: [echo] },
    "tools/call": { content: [{ type: "text", text: "called" }] },
    ping: {},
  }[method];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  if (method === "tools/call" && params.arguments.end) process.exit(1);
}
`;

function newTrustedRepository() {
  const folder = newFolder("traces");
  const [mcp, setup, cleanup, evil] = ["mcp", "setup", "cleanup", "evil"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const repository = newRepository();
  const files: Record<string, string> = {
    "mcp.mjs": server(mcp),
    "tools/lib.mjs": 'export const version = "trusted";\n',
    "scripts/setup.sh": `. ./scripts/lib.sh\n$SAY setup >> ${setup}\n`,
    "scripts/lib.sh": "SAY=echo\n",
    "scripts/clean.mjs": `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(cleanup)}, "cleaned");\n`,
    "package.json": JSON.stringify({ name: "demo", private: true, scripts: { mcp: "node mcp.mjs", clean: "node scripts/clean.mjs" } }),
    ".mcp.json": JSON.stringify({
      mcpServers: { demo: { command: "node", args: ["mcp.mjs"] }, byNpm: { command: "npm", args: ["run", "-s", "mcp"] } },
    }),
    ".skein/project.json": JSON.stringify({ setup: "sh scripts/setup.sh", cleanup: "npm run -s clean" }),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true });
    writeFileSync(join(repository, path), content);
  }
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "commands");
  const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : []);
  return { repository, starts: () => read(mcp), setups: () => read(setup), cleanups: () => read(cleanup), evil };
}

async function trustServer(api: Api, projectId: string, name: string, attemptId?: string): Promise<void> {
  const path = `/api/projects/${projectId}/mcp-servers`;
  const query = attemptId === undefined ? "" : `?attemptId=${attemptId}`;
  const { servers } = await api.request<McpServerList>("GET", path + query);
  const hash = servers.find((server) => server.name === name)?.hash;
  await api.request("POST", `${path}/${name}/trust`, { hash, ...(attemptId === undefined ? {} : { attemptId }) });
}

async function trustScripts(api: Api, projectId: string): Promise<void> {
  const { hash } = await api.request<ProjectScripts>("GET", `/api/projects/${projectId}/scripts`);
  await api.request("POST", `/api/projects/${projectId}/scripts/trust`, { hash });
}

async function send(api: Api, task: Task, attempt: Attempt): Promise<ConversationMessage[]> {
  const { executionId = "" } = await api.send(task.id, "go");
  await waitForEnd({ api }, attempt.id, executionId);
  const { messages } = await api.conversation(task.id);
  return messages.filter((message) => message.metadata?.executionId === executionId);
}

const notices = (messages: readonly ConversationMessage[]) =>
  messages.flatMap((message) => (message.messageType === "notice" ? [message.content] : []));
const writes = (path: string, content: string) =>
  newScriptedModel([
    { toolCalls: [{ name: "write", arguments: { path, content } }] },
    { text: "Done." },
    { text: "Done." },
    { text: "Done." },
  ]);

describe("a file that an agent edits without approval", () => {
  test.each([
    [
      "the server itself",
      "demo",
      "mcp.mjs",
      (evil: string) => `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, "");`,
    ],
    [
      "a file that it imports",
      "demo",
      "tools/lib.mjs",
      (evil: string) =>
        `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, ""); export const version = "evil";`,
    ],
    [
      "the script that npm runs",
      "byNpm",
      "package.json",
      (evil: string) => JSON.stringify({ name: "demo", scripts: { mcp: `touch ${evil}; node mcp.mjs` } }),
    ],
  ])("[X16] does not run as a trusted MCP server: %s", async (_what, name, path, toEvil) => {
    const { api } = shared;
    const { repository, starts, evil } = newTrustedRepository();
    const project = await api.createProject(repository);
    await trustServer(api, project.id, name);
    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model: writes(path, toEvil(evil)), permissionMode: "accept-edits" });
    await send(api, task, attempt);
    expect(existsSync(join(attempt.directory, path))).toBe(true);
    const before = starts();
    expect(before).toEqual(["trusted", "trusted"]);
    const messages = await send(api, task, attempt);
    expect([existsSync(evil), starts()]).toEqual([false, before]);
    expect(notices(messages).join()).toMatch(new RegExp(`“${name}” was not started.*${path.replace(".", "\\.")}`));
    // the agent continues without it
    expect(messages.some((message) => message.messageType === "text" && message.content === "Done.")).toBe(true);

    // the project's own folder is as it was: another attempt runs it
    const other = await api.createTask(project.id);
    await send(api, other, await api.createAttempt(other.id, { model: newScriptedModel([{ text: "Hi." }]) }));
    expect([existsSync(evil), starts().length]).toEqual([false, before.length + 1]);

    // the change is shown, and trusted only where it was reviewed
    const [change] = await api.request<TrustChange[]>("GET", `/api/projects/${project.id}/trust-changes`);
    expect(change).toMatchObject({ attemptId: attempt.id, taskTitle: "Try it", mcpServers: expect.arrayContaining([name]) });
    const { servers } = await api.request<McpServerList>("GET", `/api/projects/${project.id}/mcp-servers?attemptId=${attempt.id}`);
    const shown = servers.find((one) => one.name === name);
    expect(shown).toMatchObject({ state: "changed", changes: [{ path, change: "changed", patch: expect.stringContaining("+") }] });
    expect(shown?.files).toContain(path);
    const stale = api.request("POST", `/api/projects/${project.id}/mcp-servers/${name}/trust`, { hash: shown?.hash });
    await expect(stale).rejects.toMatchObject({ status: 409 });
  });

  test("[X16] does not run when a trusted MCP server is started again in the same execution, nor is it called", async () => {
    const { api } = shared;
    const { repository, starts, evil } = newTrustedRepository();
    const project = await api.createProject(repository);
    await trustServer(api, project.id, "demo");
    const task = await api.createTask(project.id);
    const content = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, ""); export const version = "evil";`;
    const call = { name: "mcp__demo__echo", arguments: { end: true } };
    const model = newScriptedModel([
      { toolCalls: [call] },
      { toolCalls: [{ name: "write", arguments: { path: "tools/lib.mjs", content } }] },
      { toolCalls: [call] },
      { text: "Done." },
    ]);
    const attempt = await api.createAttempt(task.id, { model, permissionMode: "full" });
    const messages = await send(api, task, attempt);
    expect([existsSync(evil), starts()]).toEqual([false, ["trusted", "trusted"]]);
    const cards = messages.flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));
    expect(cards.at(-1)).toMatchObject({ toolName: "mcp__demo__echo", state: "failed", output: expect.stringContaining("tools/lib.mjs") });
  });

  test("[X16] runs as a trusted MCP server once the attempt's own content is trusted, and there alone", async () => {
    const { api } = shared;
    const { repository, starts } = newTrustedRepository();
    const project = await api.createProject(repository);
    await trustServer(api, project.id, "demo");
    const task = await api.createTask(project.id);
    const model = writes("tools/lib.mjs", 'export const version = "edited";\n');
    const attempt = await api.createAttempt(task.id, { model, permissionMode: "accept-edits" });
    await send(api, task, attempt);
    await trustServer(api, project.id, "demo", attempt.id);
    expect(notices(await send(api, task, attempt))).toEqual([]);
    expect(starts()).toEqual(["trusted", "trusted", "edited", "edited"]);
    // the earlier content is still trusted
    const other = await api.createTask(project.id);
    await send(api, other, await api.createAttempt(other.id, { model: newScriptedModel([{ text: "Hi." }]) }));
    expect(starts().at(-1)).toBe("trusted");
  });

  test.each([
    ["the script", "scripts/setup.sh"],
    ["what it sources", "scripts/lib.sh"],
  ])("[X16] does not run as a trusted setup script: %s", async (_what, path) => {
    const { api } = shared;
    const { repository, setups, evil } = newTrustedRepository();
    const project = await api.createProject(repository);
    const task = await api.createTask(project.id);
    // the agent works before the scripts are trusted
    const first = await api.createAttempt(task.id, { model: writes(path, `touch ${evil}`), permissionMode: "accept-edits" });
    await send(api, task, first);
    await trustScripts(api, project.id);
    expect(notices(await send(api, task, first)).join()).toMatch(new RegExp(`setup script was not run.*${path.replace(".", "\\.")}`));
    // and an attempt that continues it has its files
    const second = await api.createAttempt(task.id, { model: newScriptedModel([{ text: "Hi." }]), continueFrom: first.id });
    await send(api, task, second);
    expect([existsSync(evil), setups()]).toEqual([false, []]);
    const fresh = await api.createTask(project.id);
    await send(api, fresh, await api.createAttempt(fresh.id, { model: newScriptedModel([{ text: "Hi." }]) }));
    expect([existsSync(evil), setups()]).toEqual([false, ["setup"]]);
  });

  test("[X16] does not run as a trusted cleanup script; one with unchanged files does", async () => {
    const { api } = shared;
    const { repository, cleanups, evil } = newTrustedRepository();
    const project = await api.createProject(repository);
    await trustScripts(api, project.id);
    const task = await api.createTask(project.id);
    const content = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, "");`;
    const attempt = await api.createAttempt(task.id, { model: writes("scripts/clean.mjs", content), permissionMode: "accept-edits" });
    await send(api, task, attempt);
    const { cleanups: outcomes } = await api.request<DeletionResult>("DELETE", `/api/attempts/${attempt.id}?discard=true`);
    expect([existsSync(evil), cleanups()]).toEqual([false, []]);
    expect(outcomes).toMatchObject([{ exitCode: null, output: expect.stringContaining("scripts/clean.mjs") }]);

    const other = await api.createAttempt(task.id, { model: writes("hello.js", "changed"), permissionMode: "accept-edits" });
    await send(api, task, other);
    await api.request("DELETE", `/api/attempts/${other.id}?discard=true`);
    expect(cleanups()).toEqual(["cleaned"]);
  });

  test("[X16] what is shown and trusted is the project's own folder, whatever a worktree holds", async () => {
    const { api } = shared;
    const { repository, starts, evil } = newTrustedRepository();
    const project = await api.createProject(repository);
    const task = await api.createTask(project.id);
    const content = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(evil)}, "");`;
    const attempt = await api.createAttempt(task.id, { model: writes("mcp.mjs", content), permissionMode: "accept-edits" });
    await send(api, task, attempt);
    await trustServer(api, project.id, "demo");
    await send(api, task, attempt);
    expect([existsSync(evil), starts()]).toEqual([false, ["trusted"]]);
    // a change in the project's folder asks again, too
    writeFileSync(join(repository, "tools/lib.mjs"), "// another");
    const { servers } = await api.request<McpServerList>("GET", `/api/projects/${project.id}/mcp-servers`);
    expect(servers.find(({ name }) => name === "demo")).toMatchObject({ state: "changed", changes: [{ path: "tools/lib.mjs" }] });
  });
});
