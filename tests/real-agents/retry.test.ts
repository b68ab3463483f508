import type { CommandResult, Execution } from "@skein/contracts";
import type { Script } from "@skein/testkit/model-servers";
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

/** A message is rejected, sent again in vain, and answered the third time. `readLast`: the last request to the model. */
async function retryLaterMessage(open: (script: Script) => Promise<{ task: AgentTask; readLast(): string }>): Promise<void> {
  const model = newModel("The number is 42.", "Still 42.", "Yes.");
  const { task, readLast } = await open(model.script);
  await task.run("Remember a number");
  model.isRejecting = true;
  const failed = await task.run("Which number was it");
  expect(failed).toMatchObject({ status: "failed", code: "not-answered" });
  const again = await retry(task, failed);
  expect(again).toMatchObject({ status: "failed", code: "not-answered" });
  model.isRejecting = false;
  expect(await retry(task, again)).toMatchObject({ status: "success" });
  expect(count(readLast(), "Which number was it")).toBe(1);
  expect(readLast()).toContain("The number is 42.");
  expect(readLast()).not.toContain("<transcript>");
  await task.run("Are you sure");
  expect(count(readLast(), "Which number was it")).toBe(1);
  expect(readLast()).toContain("Still 42.");
}

test("[E2] Codex reads a later message that is sent again only once, and knows the conversation before it", () =>
  retryLaterMessage(async (script) => {
    const task = await openCodexTask({ script });
    return { task, readLast: () => lastRequest(task) };
  }));

test("[E2] Claude Code reads a later message that is sent again only once, and knows the conversation before it", () =>
  retryLaterMessage(async (script) => {
    const task = await openClaudeCodeTask({ script });
    return { task, readLast: () => sent(task, task.model.requests.length - 1) };
  }));
