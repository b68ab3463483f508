import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type { AgentList, AgentSettings } from "@skein/contracts";
import { expect, onTestFinished, test } from "vitest";
import { newFolder } from "../support/repository.ts";
import {
  lastRequest,
  newHostileRepository,
  newProgramWithoutAppServer,
  nextApproval,
  openCodexTask,
  patch,
  shell,
  toLine,
  toState,
} from "./codex/codex-task.ts";

test("[E10] it asks before it runs or changes anything; allow, always and deny reach it", async () => {
  const task = await openCodexTask({
    attempt: { permissionMode: "ask" },
    script: [
      shell("echo one > a.txt"),
      shell("touch b.txt"),
      shell("touch b.txt"),
      patch("*** Add File: c.txt", "+no"),
      { text: "I left c.txt out." },
    ],
  });
  const executionId = await task.send("go");
  const first = await task.pendingApproval();
  expect(first).toMatchObject({ toolName: "command_execution", input: { command: "/bin/bash -lc 'echo one > a.txt'" } });
  expect(existsSync(join(task.attempt.directory, "a.txt"))).toBe(false);
  await task.answer(first, { decision: "allow" });
  await task.answer(await nextApproval(task, first.id), { decision: "allow-always" });
  // the same command needs no second approval
  const change = await nextApproval(task, first.id);
  expect(change).toMatchObject({
    toolName: "file_change",
    input: { changes: [{ path: join(task.attempt.directory, "c.txt"), kind: "add", diff: "no\n" }] },
  });
  await task.answer(change, { decision: "deny", reason: "c is taken" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });

  expect((await task.conversation()).flatMap(toState)).toEqual(["completed", "completed", "completed", "denied"]);
  expect(existsSync(join(task.attempt.directory, "c.txt"))).toBe(false);
  expect(lastRequest(task)).toContain("The reason: c is taken");
  expect(task.model.violations).toEqual([]);
});

test("[E10, X17] a permanent permission is not asked for again, also in the next execution", async () => {
  const task = await openCodexTask({
    attempt: { permissionMode: "ask" },
    script: [shell("ls -1"), shell("ls hello.js"), { text: "one" }, shell("ls -a"), shell("rm -rf build"), { text: "two" }],
  });
  const first = await task.send("go");
  const approval = await task.pendingApproval();
  expect(approval).toMatchObject({ grant: { type: "read-only-command", tool: "command_execution", program: "ls" } });
  await task.answer(approval, { decision: "allow-always" });
  expect(await task.ended(first)).toMatchObject({ status: "success" });

  const second = await task.send("more");
  const danger = await task.pendingApproval();
  expect(danger).toMatchObject({ reason: "It deletes folders and everything in them. This cannot be undone." });
  await task.answer(danger, { decision: "deny" });
  expect(await task.ended(second)).toMatchObject({ status: "success" });
  expect((await task.conversation()).flatMap(toState)).toEqual(["completed", "completed", "completed", "denied"]);
});

test("accept-edits works in the sandbox without asking, and asks to leave it", async () => {
  const outside = join(newFolder("outside"), "x");
  // the sandbox allows writes to temporary folders, but not here
  const forbidden = join(userInfo().homedir, `.skein-outside-of-the-sandbox-${process.pid}`);
  onTestFinished(() => rmSync(forbidden, { force: true }));
  const task = await openCodexTask({
    attempt: { permissionMode: "accept-edits" },
    script: [
      patch("*** Update File: hello.js", "@@", "-export function hello(name) {", "+export function hello(who) {"),
      shell(`echo x > ${forbidden}`),
      shell(`echo x > ${outside}`, { sandbox_permissions: "require_escalated", justification: "Writes elsewhere" }),
      { text: "done" },
    ],
  });
  const executionId = await task.send("go");
  const approval = await task.pendingApproval();
  expect(approval).toMatchObject({ toolName: "command_execution", reason: "Writes elsewhere" });
  expect(existsSync(forbidden)).toBe(false);
  await task.answer(approval, { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(readFileSync(join(task.attempt.directory, "hello.js"), "utf8")).toContain("hello(who)");
  expect(readFileSync(outside, "utf8")).toBe("x\n");
});

test("[X8] nothing that a repository contains for Codex runs, its instructions are read, and Codex does not start to trust it", async () => {
  const marks = newFolder("marks");
  const task = await openCodexTask({ repository: newHostileRepository(marks), script: [{ text: "ok" }, { text: "ok" }] });
  const configBefore = readFileSync(join(task.codexHome, "config.toml"), "utf8");
  for (const permissionMode of ["full", "ask"]) {
    await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode });
    expect(await task.run("go")).toMatchObject({ status: "success" });
    expect(lastRequest(task)).toContain("Speak like a pirate.");
  }
  expect(task.model.requests.map(({ model }) => model)).toEqual(["gpt-5.5", "gpt-5.5"]);
  expect(readFileSync(join(task.codexHome, "config.toml"), "utf8")).toBe(configBefore);
  expect(readdirSync(marks)).toEqual([]);
});

test("[E10] a question of Codex to the user is answered", async () => {
  const questions = [
    {
      id: "q1",
      header: "Colour",
      question: "Which colour?",
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cold" },
      ],
    },
  ];
  const task = await openCodexTask({
    features: "default_mode_request_user_input = true",
    script: [{ toolCalls: [{ name: "request_user_input", arguments: { questions } }] }, { text: "Blue it is." }],
  });
  const executionId = await task.send("paint");
  const approval = await task.pendingApproval();
  expect(approval).toMatchObject({ toolName: "ask", input: { questions: [{ question: "Which colour?" }] } });
  await task.answer(approval, { decision: "allow", answers: { "Which colour?": "Blue" } });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(lastRequest(task)).toContain(JSON.stringify(JSON.stringify({ answers: { q1: { answers: ["Blue"] } } })));
  expect((await task.conversation()).map(toLine)).toContain("tool_execution: Asked: Which colour?");
});

test("[E10] a permission given while it works applies at once, a new model from the next execution on", async () => {
  const task = await openCodexTask({
    attempt: { permissionMode: "ask" },
    script: [shell("echo one > a.txt"), shell("echo two > b.txt"), { text: "done" }, { text: "A summary." }, { text: "again" }],
  });
  const executionId = await task.send("go");
  const approval = await task.pendingApproval();
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "full", model: "gpt-5.6-sol" });
  await task.answer(approval, { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(readFileSync(join(task.attempt.directory, "b.txt"), "utf8")).toBe("two\n");
  // when the model changes, Codex compresses the conversation with the old model
  await task.run("more");
  expect((await task.conversation()).map(toLine).slice(-2)).toEqual([
    "notice: Codex automatically summarized the conversation.",
    "text: again",
  ]);
  expect(task.model.requests.map(({ model }) => model)).toEqual([...Array(4).fill("gpt-5.5"), "gpt-5.6-sol"]);
  expect(lastRequest(task)).toContain("`sandbox_mode` is `danger-full-access`");
});

test("[X8] codex exec does not run what the repository contains either, and in mode ask it only reads", async () => {
  const marks = newFolder("marks");
  const task = await openCodexTask({
    repository: newHostileRepository(marks),
    attempt: { permissionMode: "ask" },
    command: [newProgramWithoutAppServer()],
    script: [shell("echo one > a.txt"), { text: "I could not." }],
  });
  expect(await task.run("go")).toMatchObject({ status: "success" });
  expect((await task.conversation()).map(toLine)).toContain(
    "notice: This version of Codex cannot ask for permission, so it may only read. Update it (npm install -g @openai/codex), or choose another mode.",
  );
  expect(existsSync(join(task.attempt.directory, "a.txt"))).toBe(false);
  expect(readdirSync(marks)).toEqual([]);
});

test("a Codex that is not logged in shows what to do, before and at a start", async () => {
  const task = await openCodexTask({ script: [], isLoggedOut: true });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  const hint = "Codex is not logged in. Run: codex login";
  expect(list.agents.find(({ id }) => id === "codex")).toMatchObject({ available: false, hint });
  expect(await task.run("go")).toMatchObject({ status: "failed", reason: hint });
});

test("[X8] settings that the user trusts are used", async () => {
  const marks = newFolder("marks");
  const task = await openCodexTask({ repository: newHostileRepository(marks), script: [{ text: "ok" }] });
  const { projectId } = await task.server.api.getTask(task.taskId);
  const { hash } = await task.server.api.request<AgentSettings>("GET", `/api/projects/${projectId}/agent-settings`);
  await task.server.api.request("POST", `/api/projects/${projectId}/agent-settings/trust`, { hash });
  expect(await task.run("go")).toMatchObject({ status: "success" });
  expect(readdirSync(marks)).toContain("mcp");
  // once: Codex reads them itself
  expect(lastRequest(task).split("Speak like a pirate.")).toHaveLength(2);
});
