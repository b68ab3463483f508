import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Approval, Attempt, GeneralSettings, Project } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { startConfiguredServer } from "./support/configured-server.ts";
import { waitForEnd } from "./support/execution-end.ts";
import { connectHttp } from "./support/mcp-client.ts";
import { newFolder, newRepository } from "./support/repository.ts";
import { newScriptedModel } from "./support/scripts.ts";

const wait = { timeout: 40_000, interval: 200 };
const demo = "scripted/demo";

/** A server with an agent that writes the token of its execution to a file, and works until the test lets it end. */
async function startWithSpy() {
  const traces = newFolder("traces");
  const script = `cat > /dev/null; printf %s "\${SKEIN_MCP_TOKEN-none}" > "${traces}/$(basename "$PWD")"; until [ -e "${traces}/end" ]; do sleep 0.05; done`;
  const server = await startConfiguredServer({ agents: { "command:spy": { command: ["sh", "-c", script] } } });
  const project = await server.api.createProject(newRepository());
  const allow = (agentAccess: boolean) => server.api.request<Project>("PATCH", `/api/projects/${project.id}`, { agentAccess });
  const readToken = (attempt: Attempt) =>
    vi.waitFor(() => {
      const file = join(traces, basename(attempt.directory));
      if (!existsSync(file) || readFileSync(file, "utf8") === "") throw new Error("not started yet");
      return readFileSync(file, "utf8");
    }, wait);
  const startSpy = async (input: Record<string, unknown> = {}) => {
    const task = await server.api.createTask(project.id);
    const attempt = await server.api.createAttempt(task.id, {
      agent: "command:spy",
      permissionMode: "ask",
      ...input,
      model: undefined as never,
    });
    const { executionId } = await server.api.send(task.id, "go");
    return { task, attempt, executionId, token: await readToken(attempt) };
  };
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(new URL(path, server.url), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
    return { status: response.status, code: json?.code, json };
  };
  const start = (token: string, attempt: Record<string, unknown> = {}, id = `${Math.random()}`) =>
    call(token, "POST", "/api/starts", {
      id,
      task: { projectId: project.id },
      attempt: { agent: "native", model: demo, ...attempt },
      message: "x",
    });
  const limit = (agentLimits: Partial<GeneralSettings["agentLimits"]>) =>
    server.api.request("PATCH", "/api/settings/general", { agentLimits });
  return { server, project, allow, startSpy, readToken, call, start, limit, end: () => writeFileSync(join(traces, "end"), "") };
}

describe("agents that may use Skein", () => {
  test("[M1] the native agent starts a task that another agent does, and reads the result; nothing without the user's permission", async () => {
    const server = await startConfiguredServer({});
    const project = await server.api.createProject(newRepository());
    const child = await server.api.createTask(project.id, "For another agent");
    const childModel = newScriptedModel([
      { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "made\n" } }] },
      { text: "The answer is 42." },
    ]);
    const skein = (name: string, input: object) => ({ toolCalls: [{ name: `mcp__skein__${name}`, arguments: input }] });
    const model = newScriptedModel([
      skein("start_task", { taskId: child.id, prompt: "Answer", agent: "native", model: childModel }),
      skein("wait", { taskIds: [child.id] }),
      skein("read_conversation", { taskId: child.id }),
      { text: "Delegated." },
    ]);
    const run = async () => {
      const task = await server.api.createTask(project.id);
      const attempt = await server.api.createAttempt(task.id, { model });
      const { executionId } = await server.api.send(task.id, "delegate");
      expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
      const { messages } = await server.api.conversation(task.id);
      return messages.flatMap((message) => (message.messageType === "tool_execution" ? [message.metadata] : []));
    };
    const refused = await run();
    expect(refused.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    await server.api.request("PATCH", `/api/projects/${project.id}`, { agentAccess: true });
    const tools = await run();
    expect(tools.map(({ state }) => state)).toEqual(["completed", "completed", "completed"]);
    expect(tools.at(-1)?.output).toContain("The answer is 42.");
    const attempts = await server.api.request<Attempt[]>("GET", `/api/tasks/${child.id}/attempts`);
    expect(attempts).toMatchObject([{ agent: "native", by: { name: "Skein" } }]);
  });

  test("[M1] the token of an execution is for its project, its own starts and its lifetime", async () => {
    const { server, allow, startSpy, call, start, end } = await startWithSpy();
    expect((await startSpy()).token).toBe("none");
    await allow(true);
    const { task, attempt, executionId, token } = await startSpy();
    const other = await server.api.createProject(newRepository());
    const foreign = await server.api.createTask(other.id);

    // another project, other people's attempts, more rights
    expect(await call(token, "GET", `/api/tasks/${foreign.id}`)).toMatchObject({ status: 404, code: "task-not-found" });
    const elsewhere = { id: "e", task: { projectId: other.id }, attempt: { agent: "native", model: demo }, message: "x" };
    expect(await call(token, "POST", "/api/starts", elsewhere)).toMatchObject({ status: 404, code: "project-not-found" });
    const send = (taskId: string) => call(token, "POST", "/api/commands", { type: "SEND_MESSAGE", taskId, message: "x" });
    expect(await send(task.id)).toMatchObject({ status: 403, code: "not-started-by-agent" });
    expect(await call(token, "POST", "/api/commands", { type: "STOP_EXECUTION", taskId: task.id })).toMatchObject({
      code: "not-started-by-agent",
    });
    expect(await call(token, "PATCH", `/api/attempts/${attempt.id}`, { permissionMode: "full" })).toMatchObject({ code: "not-for-agents" });
    expect(await call(token, "POST", "/api/tokens", { name: "x", scope: "admin" })).toMatchObject({ code: "not-for-agents" });
    expect(await call(token, "POST", `/api/attempts/${attempt.id}/land`, {})).toMatchObject({ code: "not-for-agents" });
    expect(await call(token, "GET", "/api/settings")).toMatchObject({ code: "not-for-agents" });
    expect(await start(token, { permissionMode: "full" })).toMatchObject({ status: 403, code: "agent-mode-too-high" });
    expect(await start(token, { isolation: "in-place" })).toMatchObject({ status: 403, code: "agent-needs-worktree" });

    // what it starts is its own, with its own mode
    const started = await start(token, {}, "same");
    expect(started).toMatchObject({ status: 201, json: { attempt: { permissionMode: "ask" } } });
    const changed = { id: "same", task: { projectId: (await server.api.getTask(task.id)).projectId }, message: "y" };
    expect(await call(token, "POST", "/api/starts", changed)).toMatchObject({ status: 409, code: "request-id-reused" });
    const user = await connectHttp(server.url, token);
    expect(await user.names()).not.toContain("answer_approval");
    end();
    await waitForEnd(server, attempt.id, executionId);
    expect((await call(token, "GET", "/api/projects")).status).toBe(401);
    expect((await call(token, "POST", "/mcp", {})).status).toBe(401);
  });

  test("[M1, E10] an agent answers neither its own approvals nor those of what it started, and the approval shows that it tried", async () => {
    const { server, allow, startSpy, call, start } = await startWithSpy();
    await allow(true);
    const { token } = await startSpy();
    const asking = newScriptedModel([{ toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] }, { text: "Done." }]);
    expect(await start(token, { model: asking })).toMatchObject({ status: 201 });
    const approval = await vi.waitFor(async () => {
      const [first] = await server.api.request<Approval[]>("GET", "/api/approvals?status=pending");
      if (first === undefined) throw new Error("no question yet");
      return first;
    }, wait);
    expect(await call(token, "POST", `/api/approvals/${approval.id}`, { decision: "allow" })).toMatchObject({
      status: 403,
      code: "answered-by-agent",
    });
    expect(await server.api.request("GET", "/api/approvals?status=pending")).toMatchObject([{ tampering: { kind: "answer-refused" } }]);
    expect(await server.api.request("POST", `/api/approvals/${approval.id}`, { decision: "deny" })).toMatchObject({ status: "answered" });
  });

  test("[M1] depth, number and cost of what an agent starts are limited, whoever below it starts it", async () => {
    const { server, allow, startSpy, readToken, start, limit, call } = await startWithSpy();
    await allow(true);
    await limit({ depth: 2, starts: 3, costUsd: null });
    const { token } = await startSpy();
    const below = async (parent: string) => {
      const { json } = await start(parent, { agent: "command:spy", model: undefined });
      return readToken((json as { attempt: Attempt }).attempt);
    };
    const child = await below(token);
    const grandchild = await below(child);
    expect(await start(grandchild)).toMatchObject({ status: 403, code: "agent-depth-limit" });
    const { json } = await start(child);
    expect(json).toMatchObject({ attempt: { agent: "native" } });
    // three of three, counted over the whole tree
    expect(await start(child)).toMatchObject({ status: 403, code: "agent-start-limit" });
    expect(await start(token)).toMatchObject({ status: 403, code: "agent-start-limit" });
    const more = { type: "SEND_MESSAGE", taskId: (json as { task: { id: string } }).task.id, message: "more" };
    expect(await call(child, "POST", "/api/commands", more)).toMatchObject({ status: 403, code: "agent-start-limit" });
    await limit({ costUsd: 0 });
    expect(await start((await startSpy()).token)).toMatchObject({ status: 403, code: "agent-cost-limit" });
    expect(server.output).not.toContain("ska_");
  });
});
