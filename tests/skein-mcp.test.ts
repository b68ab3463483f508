import { spawnSync } from "node:child_process";
import { type ApiToken, type CreatedApiToken, createdApiTokenSchema } from "@skein/contracts";
import { describe, expect, test, vi } from "vitest";
import { skeinProgram } from "../packages/cli/src/testing/skein-program.ts";
import { connectHttp, connectStdio, type McpUser, revisions, ToolError } from "./support/mcp-client.ts";
import { startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";
import { bashUntilGo, newScriptedModel } from "./support/scripts.ts";

type Server = Awaited<ReturnType<typeof startRealServer>>;
const wait = { timeout: 40_000, interval: 200 };

async function createToken({ api }: Server, input: Record<string, unknown> = {}): Promise<CreatedApiToken> {
  return createdApiTokenSchema.parse(await api.request("POST", "/api/tokens", { name: "test", scope: "write", ...input }));
}
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "allowed",
    (error: unknown) => (error instanceof ToolError ? error.code : error),
  );
const writing = (text: string) =>
  newScriptedModel([
    { toolCalls: [{ name: "write", arguments: { path: "answer.txt", content: `${text}\n` } }] },
    { text: `Wrote ${text}.` },
  ]);

/** Delegates a task and reads the result, as the instructions of the server say. */
async function delegate(user: McpUser, { projectId, key }: { projectId: string; key: string }) {
  const input = {
    projectId,
    prompt: "Write the answer",
    agent: "native",
    model: writing("42"),
    permissionMode: "full",
    idempotencyKey: key,
  };
  const started = await user.call<{ taskId: string; attemptId: string; executionId: string }>("start_task", input);
  const again = await user.call("start_task", input);
  const progress: string[] = [];
  const attemptIds = [started.attemptId];
  const ended = await user.call("wait", { attemptIds, timeoutSeconds: 60 }, { onProgress: (message) => progress.push(message) });
  const { messages } = await user.call<{ messages: { text: string }[] }>("read_conversation", { taskId: started.taskId });
  const changes = await user.call<{ diff: string }>("get_diff", { attemptId: started.attemptId });
  return { started, again, ended, texts: messages.map(({ text }) => text), diff: changes.diff };
}

describe("Skein as an MCP server", () => {
  test.each(revisions)("[M1] the official client delegates a task and reads the result, over HTTP and stdio: %s", async (revision) => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const { token } = await createToken(server);
    for (const user of [await connectHttp(server.url, token, revision), await connectStdio(server.home, [], { revision })]) {
      expect(user.revision).toBe(revision);
      expect(await user.names()).toEqual(expect.arrayContaining(["list_projects", "start_task", "wait", "compare_attempts"]));
      // neither is granted by the scope
      expect(await user.names()).not.toContain("answer_approval");
      expect(await user.names()).not.toContain("create_project");
      expect(await user.call("list_projects")).toMatchObject({ projects: [{ id: projectId }] });
      const { started, again, ended, texts, diff } = await delegate(user, { projectId, key: `${Math.random()}` });
      expect(again).toEqual(started);
      expect(ended).toMatchObject({ timedOut: false, attempts: [{ state: "success" }] });
      expect(texts).toEqual(expect.arrayContaining(["Write the answer", "Wrote 42."]));
      expect(diff).toContain("+42");
      const uri = `skein://attempts/${started.attemptId}/diff`;
      expect(JSON.stringify(await user.client.readResource({ uri }))).toContain("+42");
      const other = await user.call<{ attemptId: string }>("start_task", {
        ...{ taskId: started.taskId, prompt: "Again", agent: "native", model: writing("43"), permissionMode: "full" },
      });
      await user.call("wait", { attemptIds: [other.attemptId] });
      const attemptIds = [started.attemptId, other.attemptId];
      expect(await user.call("compare_attempts", { attemptIds })).toMatchObject({ changedByAll: ["answer.txt"] });
    }
  });

  test("[M1] wait reports progress, times out without stopping anything, can be cancelled and repeated; stop stops", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const user = await connectHttp(server.url, (await createToken(server)).token);
    const model = newScriptedModel([{ toolCalls: [bashUntilGo] }, { text: "Done." }]);
    const { attemptId, taskId } = await user.call<{ attemptId: string; taskId: string }>("start_task", {
      ...{ projectId, prompt: "Wait", agent: "native", model, permissionMode: "full" },
    });
    expect(await user.call("wait", { attemptIds: [attemptId], timeoutSeconds: 1 })).toMatchObject({
      timedOut: true,
      attempts: [{ state: "running" }],
    });
    const cancelled = new AbortController();
    const first = Promise.withResolvers<void>();
    const waiting = user.call(
      "wait",
      { attemptIds: [attemptId], timeoutSeconds: 600 },
      { signal: cancelled.signal, onProgress: () => first.resolve() },
    );
    await first.promise;
    cancelled.abort();
    await expect(waiting).rejects.toThrow();
    expect(await user.call("get_task", { taskId })).toMatchObject({ task: { running: true } });
    expect(await user.call("stop", { taskId })).toEqual({ stopped: true });
    expect(await user.call("wait", { attemptIds: [attemptId] })).toMatchObject({ attempts: [{ state: "cancelled" }] });
  });

  test("[M1] a token ends at its scope, its project and its revocation, also over plain HTTP", async () => {
    const server = await startRealServer();
    const [one, two] = [await server.api.createProject(newRepository()), await server.api.createProject(newRepository())];
    const task = await server.api.createTask(two.id);
    const reading = await createToken(server, { scope: "read" });
    const reader = await connectHttp(server.url, reading.token);
    expect(await reader.names()).not.toContain("start_task");
    const post = (token: string, path: string, body: unknown) =>
      fetch(new URL(path, server.url), {
        ...{ method: "POST", body: JSON.stringify(body) },
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      });
    const start = { id: "1", task: { projectId: one.id }, attempt: { agent: "native" }, message: "x" };
    expect(await (await post(reading.token, "/api/starts", start)).json()).toMatchObject({ status: 403, code: "scope-required" });

    const { token, id } = await createToken(server, { projectIds: [one.id] });
    const user = await connectHttp(server.url, token);
    expect(await user.call("list_projects")).toMatchObject({ projects: [{ id: one.id }] });
    expect(await codeOf(user.call("get_task", { taskId: task.id }))).toBe("task-not-found");
    expect(await codeOf(user.call("start_task", { projectId: two.id, prompt: "x" }))).toBe("project-not-found");
    expect((await post(token, "/api/tokens", { name: "more", scope: "admin" })).status).toBe(403);
    expect((await post(token, "/api/projects", { path: newRepository() })).status).toBe(403);
    await vi.waitFor(async () => {
      const tokens = await server.api.request<ApiToken[]>("GET", "/api/tokens");
      expect(tokens.find((one) => one.id === id)?.lastUsedAt).not.toBeNull();
    }, wait);
    await server.api.request("DELETE", `/api/tokens/${id}`);
    expect((await post(token, "/mcp", {})).status).toBe(401);
  });

  test("[M1] an idempotency key is for one content; limits on number and depth hold, also over plain HTTP", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const { token } = await createToken(server, { limits: { starts: 2 } });
    const user = await connectHttp(server.url, token);
    const start = { projectId, agent: "native", model: newScriptedModel([{ text: "Done." }]) };
    const first = await user.call<{ taskId: string; attemptId: string }>("start_task", { ...start, prompt: "a", idempotencyKey: "k" });
    expect(await codeOf(user.call("start_task", { ...start, prompt: "b", idempotencyKey: "k" }))).toBe("request-id-reused");
    expect(await codeOf(user.call("send_message", { taskId: first.taskId, message: "b", idempotencyKey: "k" }))).toBe("request-id-reused");
    const title = { projectId, title: "One", idempotencyKey: "t" };
    const made = await user.call("create_task", title);
    expect(await user.call("create_task", title)).toEqual(made);
    expect(await codeOf(user.call("create_task", { ...title, title: "Two" }))).toBe("request-id-reused");
    await user.call("wait", { attemptIds: [first.attemptId] });
    await user.call("send_message", { taskId: first.taskId, message: "again" });
    await user.call("wait", { attemptIds: [first.attemptId] });
    expect(await codeOf(user.call("send_message", { taskId: first.taskId, message: "third" }))).toBe("agent-start-limit");
    const plain = await fetch(new URL("/api/commands", server.url), {
      ...{ method: "POST", body: JSON.stringify({ type: "SEND_MESSAGE", taskId: first.taskId, message: "third" }) },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
    expect(await plain.json()).toMatchObject({ status: 403, code: "agent-start-limit" });
    const flat = await connectHttp(server.url, (await createToken(server, { limits: { depth: 0 } })).token);
    expect(await codeOf(flat.call("start_task", { ...start, prompt: "x" }))).toBe("agent-depth-limit");
  });

  test("[M1] only a token of the scope approve answers; a foreign page or host name reaches nothing", async () => {
    const server = await startRealServer();
    const { id: projectId } = await server.api.createProject(newRepository());
    const model = newScriptedModel([{ toolCalls: [{ name: "bash", arguments: { command: "touch made" } }] }, { text: "Done." }]);
    const user = await connectHttp(server.url, (await createToken(server)).token);
    const { attemptId } = await user.call<{ attemptId: string }>("start_task", {
      ...{ projectId, prompt: "x", agent: "native", model, permissionMode: "ask" },
    });
    const waited = await user.call<{ attempts: { state: string; approvals: string[] }[] }>("wait", { attemptIds: [attemptId] });
    expect(waited.attempts).toMatchObject([{ state: "needs-approval" }]);
    const approvalId = waited.attempts[0]?.approvals[0];
    const { token } = await createToken(server, { scope: "approve" });
    const plain = { authorization: `Bearer ${(await createToken(server)).token}`, "content-type": "application/json" };
    const answer = { method: "POST", headers: plain, body: JSON.stringify({ decision: "allow" }) };
    expect((await fetch(new URL(`/api/approvals/${approvalId}`, server.url), answer)).status).toBe(403);
    const approver = await connectHttp(server.url, token);
    expect(await approver.call("answer_approval", { approvalId, decision: "allow" })).toEqual({ answered: true });
    expect(await user.call("wait", { attemptIds: [attemptId] })).toMatchObject({ attempts: [{ state: "success" }] });

    const ping = { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) };
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json, text/event-stream" };
    const from = async (more: Record<string, string>) =>
      (await fetch(new URL("/mcp", server.url), { ...ping, headers: { ...headers, ...more } })).status;
    expect(await from({})).toBe(200);
    expect(await from({ origin: "https://evil.example" })).toBe(403);
    expect(await from({ authorization: "Bearer wrong" })).toBe(401);
    expect(await from({ "content-type": "text/plain" })).toBe(415);
    const rebound = await rawStatus(server.url, "evil.example");
    expect(rebound).toBe(403);
  });

  test("[M1] skein mcp leaves no token behind, and reports that no server runs", async () => {
    const server = await startRealServer();
    const tokens = () => server.api.request<ApiToken[]>("GET", "/api/tokens");
    const user = await connectStdio(server.home);
    expect(await user.names()).toContain("start_task");
    expect(await tokens()).toMatchObject([{ name: "skein mcp", scope: "write" }]);
    await user.client.close();
    await vi.waitFor(async () => expect(await tokens()).toEqual([]), wait);
    await server.stop();
    const { status, stderr } = spawnSync(process.execPath, [skeinProgram, "mcp", "--home", server.home], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("skein serve");
  });
});

/** `fetch` sets the Host header itself. */
async function rawStatus(url: string, host: string): Promise<number> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/mcp", url), { method: "POST", headers: { host, "content-type": "application/json" } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject).end("{}");
  });
}
