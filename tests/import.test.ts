import { appendFileSync, chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, ConversationMessage, Execution, ImportSource, TaskSummary } from "@skein/contracts";
import { expect, test } from "vitest";
import { toSteps } from "./support/claude-code.ts";
import { startConfiguredServer } from "./support/configured-server.ts";
import {
  dumpDatabase,
  hashFiles,
  listSources,
  newUserHome,
  runImport,
  type UserHome,
  writeLongSession,
} from "./support/imported-sessions.ts";
import { type RealServer, startRealServer } from "./support/real-server.ts";

const all = ["claude-code", "codex", "gemini", "opencode", "vibe-kanban"] as const satisfies ImportSource[];

const startFor = (user: UserHome) => startRealServer({ environment: { HOME: user.home } });
const listTasks = ({ api }: RealServer) => api.request<TaskSummary[]>("GET", "/api/tasks?archived=all");
const agentOf = ({ activity }: TaskSummary) => activity.agent;

/** Steps without the folder of this test. */
function toShortSteps(messages: readonly ConversationMessage[], { repository }: UserHome): string[] {
  return toSteps(messages).map((step) => step.join(": ").replaceAll(repository, "…"));
}

test("[I1, I3, Q20] sessions of five programs are found, imported with their cards, tokens and cost, and no file of them changes", async () => {
  const user = newUserHome(...all);
  const before = hashFiles(user.home);
  const server = await startFor(user);
  const found = await listSources(server);
  for (const source of all) {
    expect(found[source].sessions, source).toMatchObject([
      { state: "new", folder: "repository", repository: user.repository, taskId: null },
    ]);
    expect(await runImport(server, { source }), source).toMatchObject({ state: "done", added: 1, updated: 0, problems: [] });
  }
  expect(hashFiles(user.home)).toBe(before);
  const tasks = await listTasks(server);
  expect(tasks.map((task) => [agentOf(task), task.title, task.status]).toSorted()).toEqual([
    ["claude-code", "Fix the colours", "in-review"],
    ["claude-code", "Look at a.txt and change it", "done"],
    ["codex", "Look at a.txt and change it", "done"],
    ["gemini", "Look at a.txt and change it", "done"],
    ["opencode", "A title", "done"],
  ]);

  const claude = tasks.find((task) => agentOf(task) === "claude-code" && task.status === "done");
  const { messages } = await server.api.conversation(claude?.id ?? "");
  expect(toShortSteps(messages, user).slice(0, 17)).toEqual([
    "user: Look at a.txt and change it",
    "assistant: I should look first.",
    "assistant: I will look around.",
    "Bash: completed: Ran cat a.txt",
    "Bash: failed: Ran exit 3",
    "Read: completed: Read …/a.txt",
    "Read: completed: Read …/dot.png",
    "Edit: completed: Updated …/a.txt",
    "Write: completed: Created …/b.txt",
    "Agent: completed: Ran subagent: Count lines",
    "assistant: Counting.",
    "Bash: completed: Ran wc -l a.txt",
    "assistant: It has 3 lines.",
    "assistant: Done: a.txt has three lines.",
    "user: What did I ask? See the image.",
    "assistant: You asked about a.txt.",
    "system: Claude Code summarized the conversation (12705 → 2697 tokens).",
  ]);
  const agentCard = messages.find((message) => message.messageType === "tool_execution" && message.metadata.toolName === "Agent");
  const nested = messages.find((message) => message.content === "Counting.");
  expect(nested?.metadata).toMatchObject({
    parentToolUseId: agentCard?.messageType === "tool_execution" ? agentCard.metadata.toolUseId : "none",
  });
  expect(messages.find(({ content }) => content.startsWith("What did I ask"))?.metadata).toMatchObject({
    images: [{ mediaType: "image/png" }],
  });
  const edit = messages.find((message) => message.messageType === "tool_execution" && message.metadata.toolName === "Edit");
  expect(edit?.metadata).toMatchObject({ details: { type: "diff" } });
  const [attempt] = await server.api.request<Attempt[]>("GET", `/api/tasks/${claude?.id}/attempts`);
  expect(attempt).toMatchObject({ sessionId: "11111111-2222-4333-8444-555555555555", isolation: "in-place", directory: user.repository });
  const executions = await server.api.executions(attempt?.id ?? "");
  expect(executions.map(({ status }) => status)).toEqual(["success", "success", "success", "failed", "failed"]);
  expect(executions[0]).toMatchObject({
    usage: { inputTokens: 65_436, outputTokens: 273, cacheReadTokens: 400, costUsd: 0.265684 },
    startedAt: Date.parse("2026-11-18T13:20:33.413Z"),
  });

  const codex = tasks.find((task) => agentOf(task) === "codex");
  expect(toShortSteps((await server.api.conversation(codex?.id ?? "")).messages, user)).toEqual([
    "user: Look at a.txt and change it",
    "assistant: I should look first.",
    "assistant: I will look around.",
    "command_execution: completed: Ran cat a.txt",
    "command_execution: failed: Ran exit 3",
    expect.stringMatching(/^file_change: completed: Updated 2 files/),
    "update_plan: failed: Could not update todo list",
    "assistant: Done: a.txt has three lines.",
    "user: This fails",
    "assistant: You asked about a.txt.",
  ]);

  const search = await server.api.request<object>("GET", `/api/search?q=${encodeURIComponent("a.txt has three lines")}`);
  expect(JSON.stringify(search)).toContain(claude?.id);

  const dump = await dumpDatabase(server.home);
  for (const source of all) expect(await runImport(server, { source })).toMatchObject({ added: 0, updated: 0, unchanged: 1, lines: 0 });
  expect(await dumpDatabase(server.home)).toEqual(dump);
});

test("[I1, Q20] a session that has grown is continued: only what is new is read, and a card that was cut off is completed", async () => {
  const user = newUserHome();
  const file = writeLongSession(user, { id: "grows", turns: 3, toolsPerTurn: 2 });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  // cut between a call and its result
  writeFileSync(file, `${lines.slice(0, 14).join("\n")}\n`);
  const server = await startFor(user);
  expect(await runImport(server, { source: "claude-code" })).toMatchObject({ added: 1, lines: 14 });
  const [task] = await listTasks(server);
  const cut = (await server.api.conversation(task?.id ?? "")).messages;
  expect(toSteps(cut).at(-1)).toEqual(["Bash", "interrupted", "Running echo 0 was interrupted"]);

  appendFileSync(file, `${lines.slice(14).join("\n")}\n`);
  expect((await listSources(server))["claude-code"].sessions).toMatchObject([{ state: "changed", taskId: task?.id }]);
  expect(await runImport(server, { source: "claude-code" })).toMatchObject({ added: 0, updated: 1, lines: 6 });
  const grown = await dumpDatabase(server.home);

  const other = await startFor(user);
  await runImport(other, { source: "claude-code" });
  const whole = await dumpDatabase(other.home);
  const withoutRevision = (rows: unknown[] | undefined) =>
    (rows as { body: string }[]).map((row) => ({ ...row, revision: 0, body: { ...JSON.parse(row.body), revision: 0 } }));
  expect(withoutRevision(grown.conversation)).toEqual(withoutRevision(whole.conversation));
  for (const table of ["tasks", "attempts", "executions", "messages", "sessions", "ends"])
    expect(grown[table], table).toEqual(whole[table]);
});

test("[I1] a broken file or line costs only itself, and is reported", async () => {
  const user = newUserHome("claude-code", "codex");
  const folder = join(user.home, ".claude/projects/-workspace");
  const file = writeLongSession(user, { id: "half-broken", turns: 2, toolsPerTurn: 1 });
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  writeFileSync(
    file,
    [...lines.slice(0, 2), "{ not json", '{"type":"assistant","message":', ...lines.slice(2), '{"type":"user","mess'].join("\n"),
  );
  writeFileSync(join(folder, "not-a-session.jsonl"), '{"hello":"world"}\n');
  symlinkSync("/dev/zero", join(folder, "endless.jsonl"));
  symlinkSync(folder, join(user.home, ".claude/projects/loop"));
  mkdirSync(join(folder, "a-folder.jsonl"));
  writeFileSync(join(user.home, ".codex/sessions/rollout-broken.jsonl"), "\u0000\u0001 no session");
  mkdirSync(join(user.home, ".local/share/opencode"), { recursive: true });
  writeFileSync(join(user.home, ".local/share/opencode/opencode.db"), "not a database");
  const isRoot = process.getuid?.() === 0;
  writeFileSync(join(folder, "secret.jsonl"), "x");
  chmodSync(join(folder, "secret.jsonl"), 0);
  const server = await startFor(user);
  const found = await listSources(server);
  expect(found.opencode.problems).toMatchObject([{ code: "unreadable-database" }]);
  expect(found.codex).toMatchObject({ sessions: [{}], problems: [{ code: "unknown-format" }] });
  const codes = found["claude-code"].problems.map(({ code, file: path }) => [code, path.slice(folder.length + 1)]);
  expect(codes.toSorted()).toEqual([
    ["unknown-format", "not-a-session.jsonl"],
    [isRoot ? "unknown-format" : "unreadable-file", "secret.jsonl"],
  ]);
  const run = await runImport(server, { source: "claude-code" });
  expect(run).toMatchObject({ state: "done", added: 2 });
  expect(run.problems.filter(({ sessionId }) => sessionId === "half-broken")).toMatchObject([
    { code: "unreadable-line", line: 3, count: 3 },
  ]);
  const task = (await listTasks(server)).find(({ title }) => title === "Question 0");
  expect(toSteps((await server.api.conversation(task?.id ?? "")).messages)).toEqual([
    ["user", "Question 0"],
    ["Bash", "completed", "Ran echo 0"],
    ["assistant", "Answer 0"],
    ["user", "Question 1"],
    ["Bash", "completed", "Ran echo 0"],
    ["assistant", "Answer 1"],
  ]);
});

test("[I1] sessions that Skein started are not imported, a deleted task is not brought back by itself, and a missing folder is kept", async () => {
  const user = newUserHome("codex");
  writeLongSession({ ...user, repository: "/nowhere/at/all" }, { id: "lost", turns: 1, toolsPerTurn: 0 });
  const server = await startFor(user);
  expect((await listSources(server))["claude-code"].sessions).toMatchObject([{ folder: "missing", repository: null }]);
  await runImport(server, { source: "claude-code" });
  const projects = await server.api.request<{ path: string }[]>("GET", "/api/projects");
  expect(projects).toMatchObject([{ name: "all", path: "/nowhere/at/all" }]);
  const [lost] = await listTasks(server);
  expect((await server.api.conversation(lost?.id ?? "")).messages).toHaveLength(2);

  await server.api.request("DELETE", `/api/tasks/${lost?.id}`);
  expect((await listSources(server))["claude-code"].sessions).toMatchObject([{ state: "deleted", taskId: null }]);
  expect(await runImport(server, { source: "claude-code" })).toMatchObject({ added: 0 });
  expect(await runImport(server, { source: "claude-code", sessions: ["lost"] })).toMatchObject({ added: 1 });
  const [again] = await listTasks(server);
  expect(again?.id).not.toBe(lost?.id);
});

const allSources: ImportSource[] = ["claude-code", "codex", "gemini", "opencode", "vibe-kanban"];

test.each(allSources)("[I2] another agent continues an imported session of %s, with its history", async (source) => {
  const user = newUserHome(source);
  const server = await startFor(user);
  await runImport(server, { source });
  const [task] = await listTasks(server);
  const { messages } = await server.api.conversation(task?.id ?? "");
  const said = messages.filter(({ role, messageType }) => role === "assistant" && messageType === "text").at(-1)?.content ?? "";
  expect(said.length).toBeGreaterThan(3);
  const next = await server.api.createAttempt(task?.id ?? "", { continueFrom: task?.activeAttemptId ?? undefined } as never);
  const request = await server.api.request<object>("GET", `/api/attempts/${next.id}/request`);
  expect(JSON.stringify(request)).toContain(JSON.stringify(said).slice(1, -1));
  const { executionId } = await server.api.send(task?.id ?? "", "Go on");
  await expect
    .poll(async () => (await server.api.executions(next.id)).find(({ id }) => id === executionId)?.status, { timeout: 60_000 })
    .toBe("success" satisfies Execution["status"]);
});

test("[I1] with the setting, new sessions are imported while the server runs, and filed in the archive", async () => {
  const user = newUserHome();
  mkdirSync(join(user.home, ".claude/projects"), { recursive: true });
  const server = await startConfiguredServer({ importWatch: true, importAs: "archived" }, { HOME: user.home });
  expect(await listTasks(server)).toEqual([]);
  writeLongSession(user, { id: "appears", turns: 1, toolsPerTurn: 1 });
  await expect.poll(async () => (await listTasks(server)).map(({ archived }) => archived), { timeout: 60_000 }).toEqual([true]);
});
