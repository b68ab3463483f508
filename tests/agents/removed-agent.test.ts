import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { startConfiguredServer } from "../support/configured-server.ts";
import { waitForEnd } from "../support/execution-end.ts";
import { newFolder, newRepository } from "../support/repository.ts";

/** Sends one message, and another when its file exists. */
const program = `
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const sendText = (text) => say({ method: "session/update", params: { sessionId: "s1", update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } } });
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") say({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") say({ id, result: { sessionId: "s1" } });
  else if (method === "session/prompt") {
    sendText("begun");
    const timer = setInterval(() => {
      if (!existsSync(process.argv[2])) return;
      clearInterval(timer);
      sendText(" and ended");
      say({ id, result: { stopReason: "end_turn" } });
    }, 50);
  }
}).on("close", () => process.exit(0));
`;

test("[E5, Q5] an agent that is removed while it works is read to its end, also by the next server; the next message explains what to do", async () => {
  const folder = newFolder("agent");
  const go = join(folder, "go");
  writeFileSync(join(folder, "agent.mjs"), program);
  const server = await startConfiguredServer({ agents: { "acp:slow": { command: [process.execPath, join(folder, "agent.mjs"), go] } } });
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id);
  const attempt = await server.api.createAttempt(task.id, { agent: "acp:slow" });
  const { executionId } = await server.api.send(task.id, "go");
  const said = async () => (await server.api.conversation(task.id)).messages.map(({ content }) => content).join("\n");
  await vi.waitFor(async () => expect(await said()).toContain("begun"), { timeout: 60_000, interval: 100 });

  await server.api.request("DELETE", "/api/agents/acp:slow");
  const { agents } = await server.api.request<AgentList>("GET", "/api/agents");
  expect(agents.map(({ id }) => id)).not.toContain("acp:slow");
  await server.kill();
  await server.start();
  writeFileSync(go, "");
  expect(await waitForEnd(server, attempt.id, executionId)).toMatchObject({ status: "success" });
  expect(await said()).toContain("begun and ended");

  const next = await server.api.send(task.id, "and more");
  expect(await waitForEnd(server, attempt.id, next.executionId)).toMatchObject({
    status: "failed",
    reason: expect.stringContaining("This agent was removed. Add it again in Settings → Agents, or continue with another agent."),
  });
});
