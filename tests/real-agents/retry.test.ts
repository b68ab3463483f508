import type { CommandResult, Execution } from "@skein/contracts";
import { expect, test } from "vitest";
import type { AgentTask } from "../support/agent-task.ts";
import { openClaudeCodeTask, sent } from "../support/claude-code.ts";
import { lastRequest, openCodexTask } from "./codex/codex-task.ts";

/** A model that answers in order, except while it rejects every request. */
function newModel(...answers: string[]) {
  const model = {
    isRejecting: false,
    script: () =>
      model.isRejecting ? { error: { status: 400, message: "The request was rejected." } } : { text: answers.shift() ?? "Nothing." },
  };
  return model;
}

async function retry(task: AgentTask, { id: executionId }: Execution): Promise<Execution> {
  const command = { type: "RETRY_EXECUTION", taskId: task.taskId, executionId };
  const result = await task.server.api.request<CommandResult>("POST", "/api/commands", command);
  return task.ended(result.executionId ?? "");
}

const count = (text: string, part: string): number => text.split(part).length - 1;

test("[E2] Codex reads a later message that is sent again only once, and knows the conversation before it", async () => {
  const model = newModel("The number is 42.", "Still 42.", "Yes.");
  const task = await openCodexTask({ script: model.script });
  await task.run("Remember a number");
  model.isRejecting = true;
  const failed = await task.run("Which number was it");
  expect(failed).toMatchObject({ status: "failed", code: "not-answered" });
  const again = await retry(task, failed);
  expect(again).toMatchObject({ status: "failed", code: "not-answered" });
  model.isRejecting = false;
  expect(await retry(task, again)).toMatchObject({ status: "success" });
  expect(count(lastRequest(task), "Which number was it")).toBe(1);
  expect(lastRequest(task)).toContain("The number is 42.");
  expect(lastRequest(task)).not.toContain("<transcript>");
  await task.run("Are you sure");
  expect(count(lastRequest(task), "Which number was it")).toBe(1);
  expect(lastRequest(task)).toContain("Still 42.");
});

test("[E2] Claude Code reads a later message that is sent again only once, and knows the conversation before it", async () => {
  const model = newModel("The number is 42.", "Still 42.", "Yes.");
  const task = await openClaudeCodeTask({ script: model.script });
  await task.run("Remember a number");
  model.isRejecting = true;
  const failed = await task.run("Which number was it");
  expect(failed).toMatchObject({ status: "failed", code: "not-answered" });
  const again = await retry(task, failed);
  expect(again).toMatchObject({ status: "failed", code: "not-answered" });
  model.isRejecting = false;
  expect(await retry(task, again)).toMatchObject({ status: "success" });
  const last = () => sent(task, task.model.requests.length - 1);
  expect(count(last(), "Which number was it")).toBe(1);
  expect(last()).toContain("The number is 42.");
  expect(last()).not.toContain("<transcript>");
  await task.run("Are you sure");
  expect(count(last(), "Which number was it")).toBe(1);
  expect(last()).toContain("Still 42.");
});
