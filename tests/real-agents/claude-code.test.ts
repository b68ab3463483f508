import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { bash, costOf, getAttempt, openClaudeCodeTask, sent, toSteps } from "../support/claude-code.ts";
import { git } from "../support/repository.ts";

const wait = { timeout: 90_000, interval: 200 };
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("[E3, E9, E10] an approved tool, then a second execution in the same session, each with its own cost", async () => {
  const task = await openClaudeCodeTask({
    script: [
      { text: "I will write.", toolCalls: [{ name: "Write", arguments: { file_path: "made.txt", content: "hi\n" } }] },
      { text: "Done." },
      { text: "Again." },
    ],
  });
  const first = await task.send("write a file");
  const approval = await task.pendingApproval();
  expect(approval).toMatchObject({ toolName: "Write", grant: { type: "edits", tool: "Edit" } });
  await task.answer(approval, { decision: "allow" });
  const firstEnd = await task.ended(first);
  const { sessionId } = await getAttempt(task);
  const second = await task.run("and again");

  expect(second).toMatchObject({ status: "success", exitCode: 0 });
  expect((await getAttempt(task)).sessionId).toBe(sessionId);
  expect(toSteps(await task.conversation())).toEqual([
    ["user", "write a file"],
    ["assistant", "I will write."],
    ["Write", "completed", "Created made.txt"],
    ["assistant", "Done."],
    ["user", "and again"],
    ["assistant", "Again."],
  ]);
  expect(readFileSync(join(task.attempt.directory, "made.txt"), "utf8")).toBe("hi\n");
  expect(task.model.requests.map(({ body }) => JSON.stringify(body).includes("write a file"))).toEqual([true, true, true]);
  // two requests cost about twice as much as one: the second execution counts only its own
  expect(costOf(second)).toBeGreaterThan(0);
  expect(costOf(second)).toBeLessThan((costOf(firstEnd) * 3) / 4);
  expect(task.model.violations).toEqual([]);
});

test("[E9, E10, N3, X17] denied with a reason, allowed permanently also in the next execution, and an image arrives", async () => {
  const task = await openClaudeCodeTask({
    script: [
      { toolCalls: [bash("rm README.md")] },
      { toolCalls: [bash("npm prefix")] },
      { toolCalls: [bash("npm prefix --global")] },
      { toolCalls: [{ name: "Write", arguments: { file_path: "one.txt", content: "1\n" } }] },
      { text: "First." },
      { toolCalls: [bash("npm prefix")] },
      { toolCalls: [{ name: "Write", arguments: { file_path: "two.txt", content: "2\n" } }] },
      { text: "Second." },
    ],
  });
  const executionId = await task.send("look", [{ mediaType: "image/png", data: pixel }]);
  await task.answer(await task.pendingApproval(), { decision: "deny", reason: "keep the readme" });
  const asked = await task.pendingApproval();
  expect(asked).toMatchObject({ input: { command: "npm prefix" }, grant: { type: "command", tool: "Bash", command: "npm prefix" } });
  await task.answer(asked, { decision: "allow-always" });
  const other = await task.pendingApproval();
  expect(other).toMatchObject({ input: { command: "npm prefix --global" } });
  await task.answer(other, { decision: "allow" });
  const write = await task.pendingApproval();
  expect(write).toMatchObject({ toolName: "Write", grant: { type: "edits", tool: "Edit" } });
  await task.answer(write, { decision: "allow-always" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(await task.run("and again")).toMatchObject({ status: "success" });

  expect(sent(task, 0)).toContain(pixel);
  expect(sent(task, 1)).toContain("keep the readme");
  expect(existsSync(join(task.attempt.directory, "README.md"))).toBe(true);
  expect(git(task.attempt.directory, "status", "--short").trim().split("\n")).toEqual(["?? one.txt", "?? two.txt"]);
  const cards = (await task.conversation()).filter((message) => message.messageType === "tool_execution");
  expect(cards.map(({ metadata }) => metadata.state)).toEqual(["denied", ...Array(5).fill("completed")]);
  expect(task.model.violations).toEqual([]);
});

test("[E10] questions are asked and answered, and a plan is shown, sent back with feedback, and approved", async () => {
  const question = (text: string, multiSelect: boolean) => ({
    question: text,
    header: "Choice",
    multiSelect,
    options: ["SQLite", "Postgres", "None"].map((label) => ({ label, description: `Use ${label}` })),
  });
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    script: [
      {
        toolCalls: [{ name: "AskUserQuestion", arguments: { questions: [question("Which one?", false), question("Which ones?", true)] } }],
      },
      { toolCalls: [{ name: "EnterPlanMode", arguments: {} }] },
      { toolCalls: [{ name: "ExitPlanMode", arguments: { plan: "1. Do it." } }] },
      { toolCalls: [{ name: "ExitPlanMode", arguments: { plan: "1. Do it.\n2. Test it." } }] },
      { toolCalls: [bash("touch done")] },
      { text: "All done." },
    ],
  });
  const executionId = await task.send("plan it");
  const asked = await task.pendingApproval();
  expect(asked).toMatchObject({ toolName: "ask", input: { questions: [{ multiple: false }, { multiple: true }] } });
  await task.answer(asked, { decision: "allow", answers: { "Which one?": "SQLite", "Which ones?": ["SQLite", "Postgres"] } });
  const plan = await vi.waitFor(async () => {
    const approval = await task.pendingApproval();
    if (approval.toolName === "EnterPlanMode") await task.answer(approval, { decision: "allow" });
    expect(approval.toolName).toBe("ExitPlanMode");
    return approval;
  }, wait);
  expect(plan.input).toEqual({ plan: "1. Do it." });
  await task.answer(plan, { decision: "deny", reason: "Also test it." });
  const better = await vi.waitFor(async () => {
    const approval = await task.pendingApproval();
    expect(approval.id).not.toBe(plan.id);
    return approval;
  }, wait);
  expect(better).toMatchObject({ toolName: "ExitPlanMode", input: { plan: "1. Do it.\n2. Test it." } });
  expect(sent(task, 3)).toContain("Also test it.");
  await task.answer(better, { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });

  expect(sent(task, 1)).toContain('\\"Which ones?\\"=\\"SQLite, Postgres\\"');
  expect(toSteps(await task.conversation()).map(([who, state]) => [who, state])).toEqual([
    ["user", "plan it"],
    ["AskUserQuestion", "completed"],
    ["EnterPlanMode", "completed"],
    ["ExitPlanMode", "denied"],
    ["ExitPlanMode", "completed"],
    ["Bash", "completed"],
    ["assistant", "All done."],
  ]);
  expect(existsSync(join(task.attempt.directory, "done"))).toBe(true);
});

test("[N3, X10] full access asks only for protected files, and applies from the moment it is chosen", async () => {
  const task = await openClaudeCodeTask({
    script: [
      { toolCalls: [bash("touch one")] },
      { toolCalls: [bash("touch two")] },
      { toolCalls: [{ name: "Write", arguments: { file_path: ".claude/settings.json", content: "{}" } }] },
      { text: "Done." },
    ],
  });
  const executionId = await task.send("go");
  const first = await task.pendingApproval();
  expect(first).toMatchObject({ input: { command: "touch one" } });
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { permissionMode: "full", model: "haiku" });
  await task.answer(first, { decision: "allow" });
  const second = await task.pendingApproval();
  expect(second).toMatchObject({ toolName: "Write", reason: expect.stringContaining(".claude/settings.json") });
  expect(second.grant).toBeUndefined();
  await task.answer(second, { decision: "deny" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  const models = task.model.requests.map(({ model }) => model);
  expect(models[0]).not.toContain("haiku");
  expect(models.at(-1)).toContain("haiku");
});

test("[E4] a message while it works is shown where the agent has read it, in the same execution", async () => {
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    // keeps working until the message has reached it
    script: ({ body }) =>
      JSON.stringify(body).includes("Also the tests")
        ? { text: "With tests." }
        : { toolCalls: [bash("until [ -e gate ]; do sleep 0.1; done")] },
  });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).at(-1)).toMatchObject({ messageType: "tool_execution" }), wait);
  await task.server.api.request("POST", "/api/commands", {
    type: "SEND_MESSAGE",
    taskId: task.taskId,
    message: "Also the tests",
    steer: true,
  });
  writeFileSync(join(task.attempt.directory, "gate"), "");
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  const story = toSteps(await task.conversation()).map(([who, what]) => `${who} ${what}`);
  expect([...new Set(story)]).toEqual(["user go", "Bash completed", "user Also the tests", "assistant With tests."]);
  expect(await task.server.api.executions(task.attempt.id)).toHaveLength(1);
});

test("[E5] background work is part of the execution, with its approvals and its cost", async () => {
  const agent = { description: "look", prompt: "SUBWORK", subagent_type: "general-purpose", run_in_background: true };
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "accept-edits" },
    script: ({ body }) => {
      const { messages } = body as { messages: unknown[] };
      const words = JSON.stringify(messages);
      if (JSON.stringify(messages[0]).includes("SUBWORK")) {
        return words.includes("tool_result") ? { text: "Report." } : { toolCalls: [bash("npm prefix")] };
      }
      if (words.includes("task-notification")) return { text: "The helper is done." };
      return words.includes("tool_result") ? { text: "Started." } : { toolCalls: [{ name: "Agent", arguments: agent }] };
    },
  });
  const executionId = await task.send("delegate");
  await vi.waitFor(async () => expect(toSteps(await task.conversation())).toContainEqual(["assistant", "Started."]), wait);
  await task.answer(await task.pendingApproval(), { decision: "allow" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success", exitCode: 0 });
  expect(toSteps(await task.conversation()).at(-1)).toEqual(["assistant", "The helper is done."]);
});

test("[R5] the user's own system prompt reaches the model, and a change applies from the next message on", async () => {
  const task = await openClaudeCodeTask({
    script: [{ text: "Yes." }, { text: "Yes." }],
    attempt: { systemPrompt: "--Speak like a pirate." },
  });
  const system = (n: number) => JSON.stringify((task.model.requests[n]?.body as { system?: unknown } | undefined)?.system);
  await task.run("one");
  expect(system(0)).toContain("--Speak like a pirate.");
  await task.server.api.request("PATCH", `/api/attempts/${task.attempt.id}`, { systemPrompt: "Speak like a sailor." });
  await task.run("two");
  expect(system(1)).toContain("Speak like a sailor.");
  expect(system(1)).not.toContain("pirate");
});
