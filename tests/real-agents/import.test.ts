import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Attempt, ImportSources, TaskSummary } from "@skein/contracts";
import { startModelServer } from "@skein/testkit/model-servers";
import { expect, onTestFinished, test } from "vitest";
import { findClaude, toSteps } from "../support/claude-code.ts";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { hashFiles, runImport } from "../support/imported-sessions.ts";
import { newFolder, newRepository } from "../support/repository.ts";

test("[I1, I2] a session of the real Claude Code is imported, and resumed by it with its history", async () => {
  const model = await startModelServer({
    api: "anthropic",
    script: ({ body }) => {
      const words = JSON.stringify((body as { messages: unknown }).messages);
      if (words.includes("Which number?")) return { text: "It was 4711." };
      if (words.includes("tool_result")) return { text: "The number is 4711." };
      return { text: "I look.", toolCalls: [{ name: "Bash", arguments: { command: "echo 4711", description: "Show it" } }] };
    },
  });
  onTestFinished(() => model.close());
  const home = newFolder("claude-home");
  const repository = newRepository();
  const environment = {
    HOME: home,
    TMPDIR: newFolder("claude-tmp"),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: model.apiKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    IS_SANDBOX: "1",
  };
  // as a user does in a terminal
  const claude = spawn(findClaude(), ["-p", "--dangerously-skip-permissions"], {
    cwd: repository,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["pipe", "ignore", "ignore"],
  });
  claude.stdin.end("Remember a number");
  expect((await once(claude, "exit"))[0]).toBe(0);
  const before = hashFiles(`${home}/.claude/projects`);

  const server = await startConfiguredServer({ agents: { "claude-code": { command: [findClaude()] } } }, environment);
  const { sources } = await server.api.request<ImportSources>("GET", "/api/import/sources");
  expect(sources[0]).toMatchObject({ source: "claude-code", sessions: [{ title: "Remember a number", repository, state: "new" }] });
  expect(await runImport(server, { source: "claude-code" })).toMatchObject({ state: "done", added: 1, problems: [] });
  expect(hashFiles(`${home}/.claude/projects`)).toBe(before);
  const [task] = await server.api.request<TaskSummary[]>("GET", "/api/tasks");
  const taskId = task?.id ?? "";
  const steps = [
    ["user", "Remember a number"],
    ["assistant", "I look."],
    ["Bash", "completed", "Ran echo 4711"],
    ["assistant", "The number is 4711."],
  ];
  expect(toSteps((await server.api.conversation(taskId)).messages)).toEqual(steps);

  const [attempt] = await server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
  const asked = model.requests.length;
  const { executionId = "" } = await server.api.send(taskId, "Which number?");
  expect(await waitForEnd(server, attempt?.id ?? "", executionId)).toMatchObject({ status: "success" });
  const sent = JSON.stringify(model.requests.slice(asked).map(({ body }) => body));
  expect(sent).toContain("The number is 4711.");
  expect(toSteps((await server.api.conversation(taskId)).messages)).toEqual([
    ...steps,
    ["user", "Which number?"],
    ["assistant", "It was 4711."],
  ]);
  const [after] = await server.api.request<Attempt[]>("GET", `/api/tasks/${taskId}/attempts`);
  expect(after?.sessionId).toBe(attempt?.sessionId);

  // what Skein has added to the session is not imported
  const again = await server.api.request<ImportSources>("GET", "/api/import/sources");
  expect(again.sources[0]?.sessions).toMatchObject([{ state: "continued" }]);
  expect(await runImport(server, { source: "claude-code" })).toMatchObject({ added: 0, updated: 0 });
});
