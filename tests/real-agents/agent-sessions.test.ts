import type { AgentSessionList, StartedTask } from "@skein/contracts";
import { expect, test } from "vitest";
import { waitForEnd } from "../support/execution-end.ts";
import { furtherAgents } from "./agents/further-agents.ts";
import { mainAgents } from "./agents/main-agents.ts";
import { openTestedAgent } from "./agents/open-agents.ts";
import type { TestedAgent } from "./agents/tested-agent.ts";

const agents: [name: string, agent: TestedAgent][] = [
  ["claude-agent-acp", furtherAgents.claudeAgentAcp],
  ["opencode", mainAgents.opencode],
];

test.each(agents)("[E3, N3] %s lists the session of another attempt, and a new one continues it", async (_, agent) => {
  const task = await openTestedAgent(agent, { isolation: "in-place" });
  const { api } = task.server;
  task.script({ text: "The word is heron." });
  expect(await task.run("Remember a word.")).toMatchObject({ status: "success" });
  const { sessionId } = await api.request<{ sessionId: string }>("GET", `/api/attempts/${task.attempt.id}`);
  const { projectId } = await api.request<{ projectId: string }>("GET", `/api/tasks/${task.taskId}`);
  const path = `/api/projects/${projectId}/agent-sessions?agent=${encodeURIComponent(agent.id)}`;
  const { sessions } = await api.request<AgentSessionList>("GET", path);
  expect(sessions.map(({ id }) => id)).toEqual([sessionId]);

  task.script({ text: "Heron." });
  const model = agent.model === undefined ? {} : { model: agent.model };
  const attempt = { agent: agent.id, isolation: "in-place", permissionMode: "full", session: sessionId, ...model };
  const start = { id: crypto.randomUUID(), task: { projectId }, attempt, message: "Which word?" };
  const started = await api.request<StartedTask>("POST", "/api/starts", start);
  expect(await waitForEnd(task.server, started.attempt.id, started.executionId)).toMatchObject({ status: "success" });
  const sent = JSON.stringify(task.requests().at(-1)?.body);
  expect(sent).toContain("The word is heron.");
  expect(sent).toContain("Which word?");
  const shown = (await api.conversation(started.task.id)).messages.map(({ content }) => content);
  expect(shown).toEqual(["Which word?", expect.stringContaining("continues an existing session"), "Heron."]);
});
