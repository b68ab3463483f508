import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttemptDiff } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { type AgentTask, openAgentTask } from "./support/agent-task.ts";
import { git, newFolder } from "./support/repository.ts";

const wait = { timeout: 40_000, interval: 20 };

/** Appends the last line of its prompt to a file. */
const agent = `prompt=$(cat); echo "$prompt" | tail -n 1 >> said.txt; echo done`;

function newProgram(name: string, script: string): string {
  const path = join(newFolder("program"), name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A server whose git waits while the gate exists before it writes a tree; the folder then contains a file. */
async function openSlowTask(): Promise<{ task: AgentTask; gate: string; isWaiting(): boolean }> {
  const gate = join(newFolder("gate"), "closed");
  const waiting = `${gate}.waiting`;
  const real = (process.env.PATH ?? "")
    .split(":")
    .map((folder) => join(folder, "git"))
    .find(existsSync);
  const slow = `case " $* " in *" write-tree "*) while [ -e '${gate}' ]; do : > '${waiting}'; sleep 0.05; done;; esac\nexec '${real}' "$@"`;
  const program = newProgram("git", slow);
  const task = await openAgentTask({
    config: { agents: { "command:echo": { command: [newProgram("agent", agent)] } } },
    environment: { PATH: `${join(program, "..")}:${process.env.PATH}` },
    attempt: { agent: "command:echo" },
  });
  return { task, gate, isWaiting: () => existsSync(waiting) };
}

async function listChanges({ server }: AgentTask, executionId: string): Promise<{ lines: string[]; approximate: boolean }> {
  const { files, approximate = false } = await server.api.request<AttemptDiff>("GET", `/api/executions/${executionId}/diff`);
  const lines = files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
  return { lines: lines.filter((line) => !line.startsWith(" ")), approximate };
}

test("[Q5] if a server is killed before it has recorded an execution's changes, the next one records them, separately from later ones", async () => {
  const { task, gate, isWaiting } = await openSlowTask();
  writeFileSync(gate, "");
  const first = await task.send("one");
  expect(await task.ended(first)).toMatchObject({ status: "success" });
  await vi.waitFor(() => expect(isWaiting()).toBe(true), wait);
  await task.server.kill();
  expect(git(task.repository, "for-each-ref", "refs/skein/")).toBe("");
  rmSync(gate);
  await task.server.start();

  const second = await task.run("two");
  expect(await listChanges(task, first)).toEqual({ lines: ["+one"], approximate: false });
  expect(await listChanges(task, second.id)).toEqual({ lines: ["+two"], approximate: false });
  await vi.waitFor(() => expect(readdirSync(join(task.server.home, "unrecorded"))).toEqual([]), wait);
  expect(git(task.repository, "for-each-ref", "--format=%(refname)", "refs/skein/").trim().split("\n")).toEqual(
    [first, second.id].map((id) => `refs/skein/executions/${id}`),
  );
});
