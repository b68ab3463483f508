import { expect, test } from "vitest";
import { newScriptedModel } from "../support/scripts.ts";
import { openCodexTask } from "./codex/codex-task.ts";

test("[M1] the real Codex is offered Skein's tools and uses one, only where its attempt may", async () => {
  const child = { id: "" };
  const model = newScriptedModel([{ text: "The answer is 42." }]);
  const task = await openCodexTask({
    attempt: { permissionMode: "full", agentAccess: true },
    script: [
      () => ({ toolCalls: [{ name: "mcp__skein__start_task", arguments: { taskId: child.id, prompt: "Answer", agent: "native", model } }] }),
      () => ({ toolCalls: [{ name: "mcp__skein__wait", arguments: { taskIds: [child.id] } }] }),
      { text: "Delegated." },
    ],
  });
  const { projectId } = await task.server.api.getTask(task.taskId);
  child.id = (await task.server.api.createTask(projectId, "For another agent")).id;
  expect(await task.run("delegate")).toMatchObject({ status: "success" });
  expect(JSON.stringify(task.model.requests[0]?.body)).toContain("start_task");
  const { messages } = await task.server.api.conversation(child.id);
  expect(messages.map(({ content }) => content)).toContain("The answer is 42.");
});
