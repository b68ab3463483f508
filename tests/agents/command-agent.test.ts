import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentList } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, test, vi } from "vitest";
import { processTable } from "../../packages/host/src/runner/process-table.ts";
import { openAgentTask } from "../support/agent-task.ts";
import { newFolder } from "../support/repository.ts";

const wait = { timeout: 40_000, interval: 200 };

function newProgram(script: string): string {
  const path = join(newFolder("program"), "agent");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test("[E3] a program that prints text is an agent, and gets the conversation so far with every message", async () => {
  const program = newProgram('prompt=$(cat); echo "I was told:"; echo "$prompt"');
  const agents = { "command:echo": { command: [program] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:echo" } });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  expect(list.agents.find(({ id }) => id === "command:echo")).toMatchObject({ available: true, name: "echo", path: program });

  expect(await task.run("Say 修复 -- --help")).toMatchObject({ status: "success", exitCode: 0 });
  expect((await task.conversation()).map(({ role, content }) => [role, content])).toEqual([
    ["user", "Say 修复 -- --help"],
    ["assistant", "I was told:\nSay 修复 -- --help"],
  ]);

  await task.run("again");
  const answer = (await task.conversation()).at(-1)?.content;
  expect(answer).toContain("<user>\nSay 修复 -- --help");
  expect(answer).toContain("The request now:\n\nagain");
});

test("[E10] an agent that cannot ask is reported before it works in a mode that should ask", async () => {
  const agents = { "command:echo": { command: [newProgram("cat > /dev/null; echo done")] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:echo", permissionMode: "ask" } });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  expect(list.agents.find(({ id }) => id === "command:echo")).toMatchObject({ permissionControl: "none" });
  await task.run("go");
  const text = "echo cannot ask for permission. It works with full access in every mode.";
  expect((await task.conversation()).map(({ messageType, content }) => [messageType, content])).toEqual([
    ["text", "go"],
    ["notice", text],
    ["text", "done"],
  ]);
});

test("[E5] an agent that ends without output has failed, and its stderr is shown", async () => {
  const agents = { "command:quiet": { command: [newProgram("cat > /dev/null; echo 'error: no model is set' >&2")] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:quiet" } });
  const reason = "The agent ended without an answer. Its stderr: error: no model is set";
  expect(await task.run("go")).toMatchObject({ status: "failed", exitCode: 0, reason });
  expect((await task.conversation()).at(-1)).toMatchObject({ messageType: "error", content: reason });
  expect(await task.run("/clear")).toMatchObject({ status: "success" });
});

test("[E5] a failed model request is explained with the agent's own message, however it ended", async () => {
  const say = "cat > /dev/null; echo 'error: HTTP 401' >&2";
  const agents = {
    "command:quiet": { command: [newProgram(say)] },
    "command:loud": { command: [newProgram(`${say}; exit 3`)] },
  };
  for (const name of ["quiet", "loud"]) {
    const task = await openAgentTask({ config: { agents }, attempt: { agent: `command:${name}` } });
    const reason = `${name}'s login was not accepted (“error: HTTP 401”). Log in with its own program, or set its API key in config.json.`;
    expect(await task.run("go")).toMatchObject({ status: "failed", reason });
  }
});

test("an agent that fails or is missing is reported with a reason", async () => {
  const agents = {
    "command:bad": { command: [newProgram("echo 'no licence found' >&2; exit 3")] },
    "command:gone": { command: ["/nowhere/agent"] },
  };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:bad" } });
  const reason = "The agent ended with exit code 3. no licence found";
  expect(await task.run("go")).toMatchObject({ status: "failed", exitCode: 3, reason });
  const list = await task.server.api.request<AgentList>("GET", "/api/agents");
  const hint = expect.stringContaining("/nowhere/agent");
  expect(list.agents.find(({ id }) => id === "command:gone")).toMatchObject({ available: false, hint });
});

test("[E5] an agent that leaves behind a process which holds its output open has ended", async () => {
  const agents = { "command:leaving": { command: [newProgram("cat > /dev/null; echo done; sleep 300 &")] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:leaving" } });
  expect(await task.run("go")).toMatchObject({ status: "success" });
  expect((await task.conversation()).at(-1)).toMatchObject({ content: "done" });
});

test("[Q6] a stop leaves no process, not even one that left its group", async () => {
  const agents = { "command:slow": { command: [newProgram("echo started; (setsid sleep 300 &) ; sleep 300")] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:slow" } });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).at(-1)?.content).toBe("started"), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
});

test.runIf(process.platform === "linux").each(["ends", "is stopped"])(
  "[Q6] what left its session, its parents and its environment ends when the agent %s",
  async (how) => {
    const pidFile = join(newFolder("pid"), "pid");
    const escaped = `(cd / && env -i setsid -f sh -c 'echo $$ > ${pidFile}; exec sleep 300' < /dev/null > /dev/null 2>&1)`;
    const rest = how === "ends" ? `while [ ! -s ${pidFile} ]; do sleep 0.05; done` : "sleep 300";
    const agents = { "command:leaver": { command: [newProgram(`cat > /dev/null; ${escaped}; ${rest}`)] } };
    const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:leaver" } });
    const executionId = await task.send("go");
    const pid = await vi.waitFor(() => {
      const found = Number(readFileSync(pidFile, "utf8"));
      expect(found).toBeGreaterThan(1);
      return found;
    }, wait);
    if (how === "is stopped") await task.stop();
    await task.ended(executionId);
    await vi.waitFor(() => expect(processTable.readStartTime(pid)).toBeNull(), { timeout: 60_000, interval: 200 });
  },
);

test("[Q5, Q7] it keeps running while the server is down, and the next server resumes reading", async () => {
  const gate = join(newFolder("gate"), "open");
  const agents = { "command:slow": { command: [newProgram(`echo one; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo two`)] } };
  const task = await openAgentTask({ config: { agents }, attempt: { agent: "command:slow" } });
  const executionId = await task.send("go");
  await vi.waitFor(async () => expect((await task.conversation()).at(-1)?.content).toBe("one"), wait);
  await task.server.kill();
  writeFileSync(gate, "");
  await task.server.start();
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect((await task.conversation()).at(-1)?.content).toBe("one\ntwo");
});
