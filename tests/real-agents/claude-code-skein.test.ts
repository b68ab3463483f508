import type { Attempt } from "@skein/contracts";
import { expect, test } from "vitest";
import { openClaudeCodeTask, toSteps } from "../support/claude-code.ts";
import { newScriptedModel } from "../support/scripts.ts";

test("[M1] the real Claude Code starts a task that another agent does, waits for it and reads the result", async () => {
  const child = { id: "" };
  const model = newScriptedModel([
    { toolCalls: [{ name: "write", arguments: { path: "a.txt", content: "made\n" } }] },
    { text: "The answer is 42." },
  ]);
  const use = (name: string, input: () => Record<string, unknown>) => () => ({
    toolCalls: [{ name: `mcp__skein__${name}`, arguments: input() }],
  });
  const task = await openClaudeCodeTask({
    attempt: { permissionMode: "full", agentAccess: true },
    script: [
      use("start_task", () => ({ taskId: child.id, prompt: "Answer", agent: "native", model })),
      use("wait", () => ({ taskIds: [child.id] })),
      use("read_conversation", () => ({ taskId: child.id })),
      { text: "Delegated." },
    ],
  });
  const { projectId } = await task.server.api.getTask(task.taskId);
  child.id = (await task.server.api.createTask(projectId, "For another agent")).id;
  expect(await task.run("delegate")).toMatchObject({ status: "success" });
  const messages = await task.conversation();
  expect(toSteps(messages).map(([name, state]) => [name, state])).toEqual([
    ["user", "delegate"],
    ["mcp__skein__start_task", "completed"],
    ["mcp__skein__wait", "completed"],
    ["mcp__skein__read_conversation", "completed"],
    ["assistant", "Delegated."],
  ]);
  expect(JSON.stringify(messages)).toContain("The answer is 42.");
  const attempts = await task.server.api.request<Attempt[]>("GET", `/api/tasks/${child.id}/attempts`);
  expect(attempts).toMatchObject([{ agent: "native", by: { name: "Claude Code" } }]);
  // the token is in no argument, message or file of the agent
  expect(JSON.stringify(task.model.requests)).not.toContain("ska_");
});
