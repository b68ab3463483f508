import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpServerInfo, McpServerList, ToolExecutionMessage } from "@skein/contracts";
import { findMarkedProcesses, stdioMcpServer } from "@skein/testkit/mcp-servers";
import { describe, expect, test, vi } from "vitest";
import { waitForEnd } from "./support/execution-end.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

type Api = Awaited<ReturnType<typeof startRealServer>>["api"];

const wait = { timeout: 40_000, interval: 200 };
const callThenStop = (name: string) => newScriptedModel([{ toolCalls: [{ name, arguments: { text: "hello" } }] }, { text: "done" }]);

async function sendAndWait(api: Api, task: { id: string }, attempt: { id: string }): Promise<string> {
  const { executionId = "" } = await api.send(task.id, "go");
  await waitForEnd({ api }, attempt.id, executionId);
  return executionId;
}

async function lastToolExecution(api: Api, task: { id: string }): Promise<ToolExecutionMessage["metadata"] | undefined> {
  const { messages } = await api.conversation(task.id);
  const last = messages.findLast((message) => message.messageType === "tool_execution");
  return last?.messageType === "tool_execution" ? last.metadata : undefined;
}

/** A repository whose `.mcp.json` names a server, and one of its own scripts by absolute path. */
function newHostileRepository() {
  const traces = newFolder("traces");
  const [demo, evil] = [join(traces, "demo"), join(traces, "evil")];
  const repository = newRepository();
  writeFileSync(join(repository, "evil.sh"), `#!/bin/sh\necho ran >> '${evil}'\n`);
  chmodSync(join(repository, "evil.sh"), 0o755);
  const mcpServers = { demo: stdioMcpServer({ trace: demo }), evil: { command: join(repository, "evil.sh") } };
  writeFileSync(join(repository, ".mcp.json"), JSON.stringify({ mcpServers }));
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "servers");
  const countStarts = () => (existsSync(demo) ? readFileSync(demo, "utf8").match(/^started$/gm)?.length : 0);
  return { repository, countStarts, hasEvilRun: () => existsSync(evil) };
}

describe("MCP servers of a repository", () => {
  test("[X8] run nothing before they are trusted, and ask again when they change", async () => {
    const { api } = await startRealServer();
    const { repository, countStarts, hasEvilRun } = newHostileRepository();
    const project = await api.createProject(repository);
    const path = `/api/projects/${project.id}/mcp-servers`;
    const list = async () => (await api.request<McpServerList>("GET", path)).servers;
    const states = async () => Object.fromEntries((await list()).map(({ name, state }) => [name, state]));
    expect(await states()).toEqual({ demo: "new", evil: "new" });

    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model: callThenStop("mcp__demo__echo") });
    await sendAndWait(api, task, attempt);
    expect(await lastToolExecution(api, task)).toMatchObject({ state: "failed" });
    const { messages } = await api.conversation(task.id);
    const notices = messages.filter((message) => message.messageType === "notice").map((message) => message.content);
    expect(notices).toEqual(["MCP servers of this project were not started because you have not trusted them: demo, evil."]);

    const hash = (await list()).find(({ name }) => name === "demo")?.hash ?? "";
    const trust = (value: string) => api.request<McpServerInfo>("POST", `${path}/demo/trust`, { hash: value });
    await expect(trust("0".repeat(64))).rejects.toMatchObject({ status: 409, problem: { code: "mcp-server-changed" } });
    expect([countStarts(), hasEvilRun()]).toEqual([0, false]);

    expect(await trust(hash)).toMatchObject({ state: "trusted", trustedTools: expect.arrayContaining(["echo"]) });
    expect(countStarts()).toBe(1);
    const executionId = await sendAndWait(api, task, attempt);
    expect(await lastToolExecution(api, task)).toMatchObject({ toolName: "mcp__demo__echo", state: "completed", output: "hello" });
    expect(countStarts()).toBe(2);
    expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);

    // in the attempt's own folder, where an agent could have changed it
    const changed = readFileSync(join(repository, ".mcp.json"), "utf8").replace('"--disable-warning', '"--no-warnings","--disable-warning');
    writeFileSync(join(attempt.directory, ".mcp.json"), changed);
    await sendAndWait(api, task, attempt);
    expect(await lastToolExecution(api, task)).toMatchObject({ state: "failed" });
    expect(await states()).toEqual({ demo: "trusted", evil: "new" });
    writeFileSync(join(repository, ".mcp.json"), changed);
    expect(await states()).toEqual({ demo: "changed", evil: "new" });
    await expect(trust(hash)).rejects.toMatchObject({ status: 409 });

    await api.request("DELETE", `${path}/demo/trust`);
    expect(await states()).toEqual({ demo: "new", evil: "new" });
    await expect(api.request("DELETE", `${path}/demo/trust`)).rejects.toMatchObject({ status: 404 });
    expect([countStarts(), hasEvilRun()]).toEqual([2, false]);
  });

  test("[Q16] when the trust file cannot be read, nothing is started, and the user sees what to do", async () => {
    const { api, home } = await startRealServer();
    const { repository, countStarts } = newHostileRepository();
    const project = await api.createProject(repository);
    const path = `/api/projects/${project.id}/mcp-servers`;
    writeFileSync(join(home, "mcp-trust.json"), "{broken", { mode: 0o600 });
    const { servers, problems } = await api.request<McpServerList>("GET", path);
    expect([servers.map(({ state }) => state), problems]).toEqual([["new", "new"], [expect.stringContaining("Delete the file")]]);
    const trusting = api.request("POST", `${path}/demo/trust`, { hash: servers[0]?.hash });
    await expect(trusting).rejects.toMatchObject({ status: 503, problem: { detail: expect.stringContaining("Delete the file") } });
    expect([countStarts(), readFileSync(join(home, "mcp-trust.json"), "utf8")]).toEqual([0, "{broken"]);
  });

  test("[X8] a server that cannot be reached is not trusted, and the user sees why", async () => {
    const { api } = await startRealServer();
    const repository = newRepository();
    writeFileSync(join(repository, ".mcp.json"), JSON.stringify({ mcpServers: { demo: stdioMcpServer({ mode: "exits-at-start" }) } }));
    const project = await api.createProject(repository);
    const path = `/api/projects/${project.id}/mcp-servers`;
    const [server] = (await api.request<McpServerList>("GET", path)).servers;
    await expect(api.request("POST", `${path}/demo/trust`, { hash: server?.hash })).rejects.toMatchObject({
      status: 503,
      problem: { code: "mcp-server-failed", detail: expect.stringContaining("no configuration found") },
    });
    expect((await api.request<McpServerList>("GET", path)).servers).toEqual([server]);
  });
});

describe("MCP servers of the user's own settings", () => {
  test("[X11] need no trust, and their keys never reach a browser", async () => {
    const home = newFolder("home");
    const mcpServers = {
      demo: { ...stdioMcpServer(), env: { SERVICE_KEY: "secret-1" } },
      web: { url: "http://127.0.0.1:9/x?key=secret-2" },
    };
    writeFileSync(join(home, "config.json"), JSON.stringify({ mcpServers }), { mode: 0o600 });
    const { api } = await startRealServer({ home });
    const project = await api.createProject(newRepository());
    const listed = await api.request<McpServerList>("GET", `/api/projects/${project.id}/mcp-servers`);
    expect(listed.servers.map(({ name, source, state }) => [name, source, state])).toEqual([
      ["demo", "config", "trusted"],
      ["web", "config", "trusted"],
    ]);
    expect(JSON.stringify(listed)).not.toContain("secret");

    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model: callThenStop("mcp__demo__environment") });
    await sendAndWait(api, task, attempt);
    const { state, output } = (await lastToolExecution(api, task)) ?? {};
    expect([state, String(output).split(" ")]).toEqual(["completed", expect.arrayContaining(["SERVICE_KEY"])]);
    const { messages } = await api.conversation(task.id);
    expect(messages.find((message) => message.messageType === "notice")?.content).toMatch(/^The MCP server “web” could not be started/);
  });

  test("[Q6] leave nothing behind when the agent is killed in a call", async () => {
    const home = newFolder("home");
    const trace = join(newFolder("traces"), "demo");
    const mcpServers = { demo: stdioMcpServer({ trace, mode: "stubborn" }) };
    writeFileSync(join(home, "config.json"), JSON.stringify({ mcpServers }), { mode: 0o600 });
    const { api } = await startRealServer({ home });
    const project = await api.createProject(newRepository());
    const task = await api.createTask(project.id);
    const attempt = await api.createAttempt(task.id, { model: callThenStop("mcp__demo__hangs") });
    const { executionId = "" } = await api.send(task.id, "go");
    const processes = () => findMarkedProcesses("SKEIN_EXECUTION_ID", executionId);
    await vi.waitFor(() => expect(readFileSync(trace, "utf8")).toContain("hangs called"), wait);
    expect(processes()).toHaveLength(3);

    const agent = processes().find((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("native-program"));
    process.kill(agent ?? 0, "SIGKILL");
    expect(await waitForEnd({ api }, attempt.id, executionId)).toMatchObject({ status: "interrupted" });
    await vi.waitFor(() => expect(processes()).toEqual([]), wait);
  });
});
