import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { startConfiguredServer } from "../support/configured-server.ts";
import { newFolder, newRepository } from "../support/repository.ts";

const wait = { timeout: 40_000, interval: 50 };

function newProgram(script: string): string {
  const path = join(newFolder("program"), "agent");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function openTask(agents: Record<string, { command: string[] }>, agent: string) {
  const server = await startConfiguredServer({ agents });
  const project = await server.api.createProject(newRepository());
  const task = await server.api.createTask(project.id);
  const { api } = server;
  const attempt = await api.request<{ id: string }>("POST", `/api/tasks/${task.id}/attempts`, { agent });
  const send = async (message: string) => {
    const { executionId = "" } = await api.send(task.id, message);
    return executionId;
  };
  const ended = async (executionId: string) => {
    await vi.waitFor(async () => {
      const found = (await api.executions(attempt.id)).find(({ id }) => id === executionId);
      expect(found?.status).not.toBe("running");
    }, wait);
    return (await api.executions(attempt.id)).find(({ id }) => id === executionId);
  };
  return { server, api, task, attempt, send, ended };
}

test("[E3] a program that prints text is an agent, and gets what was said before with every message", async () => {
  const program = newProgram('prompt=$(cat); echo "I was told:"; echo "$prompt"');
  const { api, task, send, ended } = await openTask({ "command:echo": { command: [program] } }, "command:echo");
  const { agents } = await api.request<AgentList>("GET", "/api/agents");
  expect(agents.find(({ id }) => id === "command:echo")).toMatchObject({ available: true, name: "echo", path: program });

  expect(await ended(await send("Say 修复 -- --help"))).toMatchObject({ status: "success", exitCode: 0 });
  const first = (await api.conversation(task.id)).messages.map(({ role, content }) => [role, content]);
  expect(first).toEqual([
    ["user", "Say 修复 -- --help"],
    ["assistant", "I was told:\nSay 修复 -- --help"],
  ]);

  await ended(await send("again"));
  const answer = (await api.conversation(task.id)).messages.at(-1)?.content;
  expect(answer).toContain("<user>\nSay 修复 -- --help");
  expect(answer).toContain("The request now:\n\nagain");
});

test("[Q6, Q16] one that fails, is not there or hangs is told in a sentence, and a stop leaves no process", async () => {
  const agents = {
    "command:bad": { command: [newProgram("echo 'no licence found' >&2; exit 3")] },
    "command:gone": { command: ["/nowhere/agent"] },
    "command:slow": { command: [newProgram("echo started; (setsid sleep 300 &) ; sleep 300")] },
  };
  const bad = await openTask(agents, "command:bad");
  expect(await bad.ended(await bad.send("go"))).toMatchObject({
    status: "failed",
    exitCode: 3,
    reason: "The agent ended with exit code 3. no licence found",
  });

  const { api } = bad;
  const info = (await api.request<AgentList>("GET", "/api/agents")).agents.find(({ id }) => id === "command:gone");
  expect(info).toMatchObject({ available: false, hint: expect.stringContaining("/nowhere/agent") });

  const slow = await openTask(agents, "command:slow");
  const executionId = await slow.send("go");
  await vi.waitFor(async () => expect((await slow.api.conversation(slow.task.id)).messages.at(-1)?.content).toBe("started"), wait);
  await slow.api.stop(slow.task.id);
  expect(await slow.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
});

test("[Q5, Q7] it goes on while the server is gone, and the next server reads on", async () => {
  const gate = join(newFolder("gate"), "open");
  const program = newProgram(`echo one; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo two`);
  const { server, task, send, ended } = await openTask({ "command:slow": { command: [program] } }, "command:slow");
  const executionId = await send("go");
  await vi.waitFor(async () => expect((await server.api.conversation(task.id)).messages.at(-1)?.content).toBe("one"), wait);
  await server.kill();
  writeFileSync(gate, "");
  await server.start();
  expect(await ended(executionId)).toMatchObject({ status: "success" });
  expect((await server.api.conversation(task.id)).messages.at(-1)?.content).toBe("one\ntwo");
});
