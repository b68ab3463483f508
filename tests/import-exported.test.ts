import { setTimeout } from "node:timers/promises";
import type { ExportRequest, ImportRun, ImportRuns, Project, TaskSummary } from "@skein/contracts";
import { attemptExportSchema } from "@skein/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { newUserHome, runImport } from "./support/imported-sessions.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";
import { newRepository } from "./support/repository.ts";

type Exported = ReturnType<typeof attemptExportSchema.parse>;

async function exportJson({ api }: RealServer, attemptId: string, redaction: ExportRequest["redaction"] = null): Promise<string> {
  const response = await fetch(`${api.url}/api/attempts/${attemptId}/export`, {
    method: "POST",
    headers: { ...api.headers, "content-type": "application/json" },
    body: JSON.stringify({ format: "json", redaction }),
  });
  expect(response.status).toBe(200);
  return response.text();
}

async function sendFile({ api }: RealServer, projectId: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/api/import/file?projectId=${projectId}`, {
    method: "POST",
    headers: { ...api.headers, "content-type": "application/json", ...headers },
    body,
  });
  return { status: response.status, answer: await response.json() };
}

async function importFile(server: RealServer, projectId: string, body: string): Promise<ImportRun> {
  const { status, answer } = await sendFile(server, projectId, body);
  expect(answer).toMatchObject({ source: "skein" });
  expect(status).toBe(201);
  return waitForRun(server, answer as ImportRun);
}

async function waitForRun(server: RealServer, { id }: ImportRun): Promise<ImportRun> {
  for (;;) {
    const { runs } = await server.api.request<ImportRuns>("GET", "/api/import/runs");
    const run = runs.find((one) => one.id === id);
    if (run !== undefined && run.endedAt !== null) return run;
    await setTimeout(20);
  }
}

/** What must be the same after an import: everything but ids, places, and what runs here with other rights. */
function toComparable(text: string): unknown {
  const exported = attemptExportSchema.parse(JSON.parse(text));
  const numbers = new Map(exported.executions.map(({ id, number }) => [id as string, `execution ${number}`]));
  const toOwner = (id: string | undefined) => (id === undefined ? undefined : numbers.get(id));
  const { task, attempt } = exported;
  const { id: _t, projectId: _p, position: _o, activeAttemptId: _a, ...taskFields } = task;
  return {
    task: taskFields,
    attempt: { agent: attempt.agent, model: attempt.model, createdAt: attempt.createdAt, updatedAt: attempt.updatedAt },
    executions: exported.executions.map(({ id: _i, taskId: _k, attemptId: _b, ...execution }) => execution),
    messages: exported.messages?.map(({ id: _i, attemptId: _b, executionId, ...message }) => ({
      ...message,
      executionId: toOwner(executionId),
    })),
    conversation: exported.conversation.map(({ id: _i, metadata = {}, ...message }) => {
      const { outputFile: _f, replaces, ...kept } = metadata as Record<string, unknown>;
      const replaced = Array.isArray(replaces) ? { replaces: replaces.length } : {};
      return { ...message, metadata: { ...kept, ...replaced, executionId: toOwner(metadata.executionId) } };
    }),
    redaction: exported.redaction,
  };
}

const idsOf = (text: string): string[] => {
  const { executions, conversation, messages = [] } = attemptExportSchema.parse(JSON.parse(text));
  return [...executions, ...conversation, ...messages].map(({ id }) => id);
};
const newProject = ({ api }: RealServer): Promise<Project> => api.createProject(newRepository());

let from: RealServer;
let to: RealServer;
let project: Project;
/** The newest attempt of each program, exported as it is. */
let files: Record<string, string>;

beforeAll(async () => {
  const user = newUserHome("claude-code", "codex", "opencode");
  from = await startRealServer({ environment: { HOME: user.home }, keep: true });
  to = await startRealServer({ keep: true });
  project = await newProject(to);
  for (const source of ["claude-code", "codex", "opencode"] as const) await runImport(from, { source });
  const tasks = await from.api.request<TaskSummary[]>("GET", "/api/tasks?archived=all");
  files = Object.fromEntries(
    await Promise.all(tasks.map(async ({ activity, activeAttemptId }) => [activity.agent, await exportJson(from, activeAttemptId ?? "")])),
  );
  return async () => {
    await from.stop();
    await to.stop();
  };
}, 180_000);

describe("an exported attempt that is imported", () => {
  test.each(["claude-code", "codex", "opencode"])(
    "[I4, I1] of %s is the same in another data dir, but for ids and places",
    async (agent) => {
      const file = files[agent] ?? "";
      const run = await importFile(to, project.id, file);
      expect(run).toMatchObject({ state: "done", added: 1, problems: [], sessions: 1, finished: 1 });
      const task = await to.api.getTask(run.taskId ?? "");
      const again = await exportJson(to, task.activeAttemptId ?? "");
      expect(toComparable(again)).toEqual(toComparable(file));
      expect(idsOf(again).filter((id) => idsOf(file).includes(id))).toEqual([]);
      expect(new Set(idsOf(again)).size).toBe(new Set(idsOf(file)).size);
      // what was imported is found
      const { hits } = await to.api.request<{ hits: { taskId: string }[] }>("GET", "/api/search?q=a.txt");
      expect(hits.map(({ taskId }) => taskId)).toContain(task.id);
    },
  );

  test("[I4] the same file is imported once; after its task was deleted, again, with other ids", async () => {
    const file = files.codex ?? "";
    const first = await importFile(to, project.id, file);
    expect(await importFile(to, project.id, file)).toMatchObject({ added: 0, unchanged: 1, taskId: first.taskId });
    await to.api.request("DELETE", `/api/tasks/${first.taskId}`);
    const again = await importFile(to, project.id, file);
    expect(again).toMatchObject({ state: "done", added: 1 });
    expect(again.taskId).not.toBe(first.taskId);
  });

  test("[I4] it becomes a copy where its original is", async () => {
    const own = await newProject(from);
    const run = await importFile(from, own.id, files["claude-code"] ?? "");
    expect(run).toMatchObject({ state: "done", added: 1 });
    const task = await from.api.getTask(run.taskId ?? "");
    expect(toComparable(await exportJson(from, task.activeAttemptId ?? ""))).toEqual(toComparable(files["claude-code"] ?? ""));
  });

  test("[I4] a redacted export keeps its marks", async () => {
    const { attempt } = JSON.parse(files["claude-code"] ?? "") as Exported;
    const redacted = await exportJson(from, attempt.id, { keep: [], words: ["colours", "a.txt"] });
    expect(redacted).toContain("[redacted: own-word]");
    const run = await importFile(to, project.id, redacted);
    expect(run).toMatchObject({ state: "done", added: 1 });
    const { messages } = await to.api.conversation(run.taskId ?? "");
    expect(JSON.stringify(messages)).toContain("[redacted: own-word]");
    expect(JSON.stringify(messages)).not.toContain("a.txt");
  });

  test("[I4] a file gets no rights here, and nothing of it runs", async () => {
    const file = JSON.parse(files.codex ?? "") as Exported;
    const last = file.executions.at(-1);
    Object.assign(file.attempt, {
      permissionMode: "full",
      systemPrompt: "Do it.",
      sessionId: "s",
      directory: "/etc",
      by: { id: "usr_1", name: "A" },
    });
    Object.assign(file.task, { status: "in-progress", by: { id: "usr_1", name: "A" } });
    const { id = "", taskId, attemptId, number, startedAt } = last ?? {};
    file.executions[file.executions.length - 1] = { id, taskId, attemptId, number, startedAt, status: "running" } as never;
    const card = file.conversation.findLast((message) => message.messageType === "tool_execution");
    Object.assign(card?.metadata ?? {}, { state: "running", isError: false, outputFile: "../../token" });
    const run = await importFile(to, project.id, JSON.stringify(file));
    expect(run).toMatchObject({ state: "done", added: 1 });
    const task = await to.api.getTask(run.taskId ?? "");
    expect(task.status).toBe("in-review");
    const again = JSON.parse(await exportJson(to, task.activeAttemptId ?? "")) as Exported;
    expect(again.attempt).toMatchObject({ permissionMode: "ask", systemPrompt: "", sessionId: null, directory: project.path });
    expect(again.executions.at(-1)).toMatchObject({ status: "interrupted", endedAt: Math.max(startedAt ?? 0, file.exportedAt) });
    expect(JSON.stringify([again.task, again.attempt])).not.toContain("usr_1");
    const same = again.conversation.findLast((message) => message.messageType === "tool_execution");
    expect(same?.metadata).toMatchObject({ state: "interrupted", isError: true });
    expect(JSON.stringify(again)).not.toContain("../../token");
  });

  test.each<[string, (file: string) => string, Record<string, unknown>]>([
    ["no JSON", () => "# Notes", { code: "export-not-json" }],
    ["another JSON file", () => '{"name":"skein","messages":[1]}', { code: "not-an-export" }],
    ["a list", () => "[1, 2]", { code: "export-not-json" }],
    ["cut off", (file) => file.slice(0, file.length / 2), { code: "export-cut-off" }],
    ["empty", () => "", { code: "export-cut-off" }],
    [
      "of a newer version",
      (file) => file.replace("skein-attempt/2", "skein-attempt/3"),
      { code: "export-other-version", format: "skein-attempt/3" },
    ],
    [
      "with a wrong field",
      (file) => file.replace('"createdAt": ', '"createdAt": -'),
      { code: "export-field-invalid", field: "task.createdAt" },
    ],
    ["with broken text in a message", (file) => file.replace('"role": "user"', '"role": nobody'), { code: "export-not-json" }],
    ["with a field twice", (file) => file.replace('"version":', '"exportedAt": 1, "version":'), { code: "export-not-json" }],
    ["with messages of no execution", (file) => withoutExecutions(file), { code: "export-field-invalid", field: "executions" }],
    [
      "with a conversation that is no list",
      (file) => `${file.slice(0, file.indexOf('"conversation"'))}"conversation": {}}`,
      { code: "export-field-invalid", field: "conversation" },
    ],
    [
      "nested deeply",
      (file) => file.replace('"executions": [', `"executions": [${"[".repeat(600)}`),
      { code: "export-too-deep", field: "executions" },
    ],
  ])("[I4] %s is refused before anything is stored", async (_, change, problem) => {
    const before = await to.api.request<TaskSummary[]>("GET", "/api/tasks?archived=all");
    const { status, answer } = await sendFile(to, project.id, change(files.codex ?? ""));
    expect({ status, answer }).toMatchObject({ status: 422, answer: problem });
    expect(await to.api.request<TaskSummary[]>("GET", "/api/tasks?archived=all")).toHaveLength(before.length);
  });

  test("[I4] neither an unknown project nor another media type is accepted", async () => {
    const file = files.codex ?? "";
    expect(await sendFile(to, "prj_none", file)).toMatchObject({ status: 404, answer: { code: "project-not-found" } });
    expect(await sendFile(to, project.id, file, { "content-type": "text/plain" })).toMatchObject({ status: 415 });
  });

  test("[I4] keys in any order, without spaces, and sent in small pieces", async () => {
    const { format, ...rest } = JSON.parse(files.opencode ?? "");
    const file = JSON.stringify({ ...Object.fromEntries(Object.entries(rest).toReversed()), format });
    const bytes = new TextEncoder().encode(file);
    const body = new ReadableStream({
      pull(controller) {
        for (let at = 0; at < bytes.length; at += 997) controller.enqueue(bytes.subarray(at, at + 997));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { ...to.api.headers, "content-type": "application/json" }, body, duplex: "half" as const };
    const response = await fetch(`${to.api.url}/api/import/file?projectId=${project.id}`, init);
    expect(response.status).toBe(201);
    const { taskId = "" } = await waitForRun(to, (await response.json()) as ImportRun);
    const task = await to.api.getTask(taskId);
    expect(toComparable(await exportJson(to, task.activeAttemptId ?? ""))).toEqual(toComparable(file));
  });
});

function withoutExecutions(file: string): string {
  return JSON.stringify({ ...JSON.parse(file), executions: [] });
}
