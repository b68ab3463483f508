import { expect, test } from "vitest";
import { openCodexTask } from "./codex/codex-task.ts";

const lookUp = { toolCalls: [{ name: "list_mcp_resource_templates", arguments: { server: "skein" } }] };

test("[M1] the real Codex connects to Skein with the token of its execution, only where its attempt may", async () => {
  for (const agentAccess of [true, false]) {
    const task = await openCodexTask({ attempt: { permissionMode: "full", agentAccess }, script: [lookUp, { text: "Done." }] });
    expect(await task.run("look")).toMatchObject({ status: "success" });
    const [first, second] = task.model.requests.map(({ body }) => JSON.stringify(body));
    // its tools are found by a search, whose description names the servers
    expect(first?.includes("start_task")).toBe(agentAccess);
    expect(second?.includes("skein://attempts/{attemptId}/diff")).toBe(agentAccess);
    expect(JSON.stringify(task.model.requests)).not.toContain("ska_");
  }
});

test("[M1] the real Codex calls a tool of Skein, and its model reads the result", async () => {
  const call = { toolCalls: [{ name: "list_projects", namespace: "mcp__skein", arguments: {} }] };
  const task = await openCodexTask({ attempt: { permissionMode: "full", agentAccess: true }, script: [call, { text: "Done." }] });
  expect(await task.run("look")).toMatchObject({ status: "success" });
  const body = task.model.requests.at(-1)?.body as { input: { type: string; output?: unknown }[] } | undefined;
  expect(JSON.stringify(body?.input.find(({ type }) => type === "function_call_output")?.output)).toContain("prj_");
  const card = (await task.conversation()).find(({ messageType }) => messageType === "tool_execution");
  expect(card?.metadata).toMatchObject({ state: "completed" });
});
