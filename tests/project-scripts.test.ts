import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSettings, Attempt, ConversationMessage, ProjectScripts, ToolExecutionMessage } from "@skein/contracts";
import { describe, expect, test } from "vitest";
import { findExecutionProcesses } from "../packages/host/src/runner/process-tree.ts";
import type { ApiClient } from "./support/api-client.ts";
import { type EventStream, openEventStream } from "./support/event-stream.ts";
import { startRealServer } from "./support/real-server.ts";
import { git, newRepository } from "./support/repository.ts";
import { bash, newScriptedModel } from "./support/scripts.ts";

const model = newScriptedModel([{ toolCalls: [bash("cat made.txt")] }, { text: "Done." }]);

function newScriptedRepository(scripts: unknown): string {
  const repository = newRepository();
  mkdirSync(join(repository, ".skein"));
  writeFileSync(join(repository, ".skein/project.json"), JSON.stringify(scripts));
  writeFileSync(join(repository, ".gitignore"), ".env\nmade.txt\ncount.txt\n");
  git(repository, "add", "--all");
  git(repository, "commit", "--quiet", "--message", "scripts");
  writeFileSync(join(repository, ".env"), "KEY=1");
  return repository;
}

async function trustScripts(api: ApiClient, projectId: string): Promise<void> {
  const { hash } = await api.request<ProjectScripts>("GET", `/api/projects/${projectId}/scripts`);
  await api.request("POST", `/api/projects/${projectId}/scripts/trust`, { hash });
}

async function start(api: ApiClient, repository: string) {
  const project = await api.createProject(repository);
  return { project, task: await api.createTask(project.id) };
}

async function sendAndWait(api: ApiClient, stream: EventStream, taskId: string): Promise<ConversationMessage[]> {
  const { executionId } = await api.send(taskId, "go");
  await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
  const { messages } = await api.conversation(taskId);
  return messages.filter((message) => message.metadata?.executionId === executionId);
}

const cards = (messages: readonly ConversationMessage[]): ToolExecutionMessage["metadata"][] =>
  messages.flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));

describe("scripts of a repository", () => {
  test("[X7, X8] run nothing before they are trusted as they were shown; then setup runs once, before the agent", async () => {
    const { api } = await startRealServer();
    const repository = newScriptedRepository({
      setup: "cat .env; echo err >&2; echo ready > made.txt; echo x >> count.txt",
      copy: [".env"],
    });
    const { project, task } = await start(api, repository);
    const path = `/api/projects/${project.id}/scripts`;
    const shown = await api.request<ProjectScripts>("GET", path);
    expect(shown).toMatchObject({ trust: "none", copy: [".env"], cleanup: null });
    const attempt = await api.createAttempt(task.id, { model });
    const stream = await openEventStream(api);
    const untrusted = await sendAndWait(api, stream, task.id);
    expect(untrusted[1]).toMatchObject({
      messageType: "notice",
      content: expect.stringContaining("a setup script that you have not trusted"),
    });
    expect([existsSync(join(attempt.directory, "made.txt")), existsSync(join(attempt.directory, ".env"))]).toEqual([false, false]);

    await expect(api.request("POST", `${path}/trust`, { hash: "0".repeat(64) })).rejects.toMatchObject({ status: 409 });
    expect(await api.request("POST", `${path}/trust`, { hash: shown.hash })).toMatchObject({ trust: "trusted" });
    const first = await sendAndWait(api, stream, task.id);
    expect(first.map(({ messageType }) => messageType)).toEqual(["text", "tool_execution", "tool_execution", "text"]);
    const [setup, agent] = cards(first);
    expect(setup).toMatchObject({ toolName: "setup", state: "completed", summary: { action: "set-up", state: "completed" } });
    expect(setup?.details).toMatchObject({ type: "commandOutput", data: { stdout: "KEY=1", stderr: "err\n", exitCode: 0 } });
    expect(agent?.output).toContain("ready");
    await sendAndWait(api, stream, task.id);
    expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe("x\n");
    // it is shown, and not part of what a model reads
    expect(JSON.stringify(await api.messages(attempt.id))).not.toContain("setup");
    const next = await api.createAttempt(task.id, { model });
    expect(existsSync(join(next.directory, ".env"))).toBe(true);

    writeFileSync(join(repository, ".skein/project.json"), JSON.stringify({ setup: "echo evil > made.txt" }));
    expect(await api.request("GET", path)).toMatchObject({ trust: "changed" });
    expect((await sendAndWait(api, stream, task.id))[1]?.content).toContain("that has changed since you trusted it");
    await api.request("DELETE", `${path}/trust`);
    expect(await api.request("GET", path)).toMatchObject({ trust: "none" });
    stream.close();
  });

  test("a setup that fails: the agent is not started, the user is notified, and the next message retries", async () => {
    const { api } = await startRealServer();
    const { project, task } = await start(api, newScriptedRepository({ setup: "echo no >&2; test -e fixed && echo ready > made.txt" }));
    await trustScripts(api, project.id);
    const attempt = await api.createAttempt(task.id, { model });
    const stream = await openEventStream(api);
    const messages = await sendAndWait(api, stream, task.id);
    expect(cards(messages)).toMatchObject([{ toolName: "setup", state: "failed", isError: true, details: { data: { exitCode: 1 } } }]);
    expect(messages.at(-1)).toMatchObject({ messageType: "error", content: expect.stringContaining("failed with exit code 1") });
    expect(await api.executions(attempt.id)).toMatchObject([{ status: "failed" }]);
    writeFileSync(join(attempt.directory, "fixed"), "");
    expect(cards(await sendAndWait(api, stream, task.id))).toMatchObject([
      { state: "completed" },
      { toolName: "bash", state: "completed" },
    ]);
    stream.close();
  });

  test("[Q5] kill -9 of the server during setup: it continues, its output is shown completely, and the agent starts after it, once", async () => {
    const server = await startRealServer();
    const setup = "echo x >> count.txt; echo one; while [ ! -e go ]; do sleep 0.05; done; echo two; echo ready > made.txt";
    const { project, task } = await start(server.api, newScriptedRepository({ setup }));
    await trustScripts(server.api, project.id);
    const attempt = await server.api.createAttempt(task.id, { model });
    const before = await openEventStream(server.api);
    await server.api.send(task.id, "go");
    const isRunning = (message: ConversationMessage) => message.messageType === "tool_execution" && message.metadata.output.includes("one");
    await before.waitFor(({ event }) => event.type === "message:added" && isRunning(event.message));
    await server.kill();
    await server.start();
    const { messages } = await server.api.conversation(task.id);
    expect(cards(messages)).toMatchObject([{ toolName: "setup", state: "running" }]);
    const after = await openEventStream(server.api);
    writeFileSync(join(attempt.directory, "go"), "");
    await after.waitFor(({ event }) => event.type === "execution:completed");
    const [card, agent] = cards((await server.api.conversation(task.id)).messages);
    expect(card).toMatchObject({ state: "completed", output: "one\ntwo\n" });
    expect(agent).toMatchObject({ toolName: "bash", state: "completed" });
    expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe("x\n");
    after.close();
  });

  test("[Q5] kill -9 of the runner during setup: nothing of it is left, and the next message runs it again", async () => {
    const { api, home } = await startRealServer();
    const setup = "echo x >> count.txt; echo one; [ -e go ] || sleep 1000; echo ready > made.txt";
    const { project, task } = await start(api, newScriptedRepository({ setup }));
    await trustScripts(api, project.id);
    const attempt = await api.createAttempt(task.id, { model });
    const stream = await openEventStream(api);
    const { executionId = "" } = await api.send(task.id, "go");
    const isRunning = (message: ConversationMessage) => message.messageType === "tool_execution" && message.metadata.output.includes("one");
    await stream.waitFor(({ event }) => event.type === "message:added" && isRunning(event.message));
    const { pid } = JSON.parse(readFileSync(join(home, "executions", executionId, "runner.json"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    expect(findExecutionProcesses({ executionId })).toEqual([]);
    expect(cards((await api.conversation(task.id)).messages)).toMatchObject([{ toolName: "setup", state: "interrupted" }]);
    writeFileSync(join(attempt.directory, "go"), "");
    expect(cards(await sendAndWait(api, stream, task.id))).toMatchObject([
      { state: "completed" },
      { toolName: "bash", state: "completed" },
    ]);
    expect(readFileSync(join(attempt.directory, "count.txt"), "utf8")).toBe("x\nx\n");
    stream.close();
  });

  test("[Q6] stop and timeout end a setup with everything that it started", async () => {
    const { api } = await startRealServer();
    const { project, task } = await start(
      api,
      newScriptedRepository({ setup: "echo up; setsid sleep 1000 & sleep 1000", timeoutSeconds: 2 }),
    );
    await trustScripts(api, project.id);
    const attempt: Attempt = await api.createAttempt(task.id, { model });
    const stream = await openEventStream(api);
    const { executionId = "" } = await api.send(task.id, "go");
    const isUp = (message: ConversationMessage) => message.messageType === "tool_execution" && message.metadata.output.includes("up");
    await stream.waitFor(({ event }) => event.type === "message:added" && isUp(event.message));
    await api.stop(task.id);
    await stream.waitFor(({ event }) => event.type === "execution:completed" && event.executionId === executionId);
    expect(findExecutionProcesses({ executionId })).toEqual([]);
    expect(cards(await sendAndWait(api, stream, task.id))).toMatchObject([
      { state: "timed-out", summary: { action: "set-up", state: "timed-out" } },
    ]);
    const ended = await api.executions(attempt.id);
    expect(ended).toMatchObject([{ status: "cancelled" }, { status: "failed", reason: expect.stringContaining("within 2 seconds") }]);
    stream.close();
  });
});

test("[X8] agent settings in a repository are trusted as they were shown, and no longer once they change", async () => {
  const { api } = await startRealServer();
  const repository = newRepository();
  const { project } = await start(api, repository);
  const path = `/api/projects/${project.id}/agent-settings`;
  expect(await api.request("GET", path)).toEqual({ files: [], changes: [], hash: null, trust: "none" });
  mkdirSync(join(repository, ".claude"));
  const write = (content: string) => writeFileSync(join(repository, ".claude/settings.json"), content);
  write("{}");
  const { hash } = await api.request<AgentSettings>("GET", path);
  write('{"hooks":{}}');
  await expect(api.request("POST", `${path}/trust`, { hash })).rejects.toMatchObject({
    status: 409,
    problem: { code: "agent-settings-changed" },
  });
  write("{}");
  const trusted = { files: [".claude/settings.json"], changes: [], hash, trust: "trusted" };
  expect(await api.request("POST", `${path}/trust`, { hash })).toEqual(trusted);
  write('{"hooks":{}}');
  expect(await api.request("GET", path)).toMatchObject({ trust: "changed" });
  await api.request("DELETE", `${path}/trust`);
  await expect(api.request("DELETE", `${path}/trust`)).rejects.toMatchObject({ status: 404 });
});
