import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, CreateAttempt } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import type { AgentTask } from "../support/agent-task.ts";
import { openClaudeCodeTask } from "../support/claude-code.ts";
import { openCodexTask } from "./codex/codex-task.ts";

/** Creates an attempt that continues another one; resolves when it has ended. */
async function goOn(
  { server: { api }, taskId }: AgentTask,
  input: Partial<CreateAttempt> & { agent: string; continueFrom: Attempt["id"] },
  message: string,
): Promise<Attempt> {
  const { id } = await api.request<Attempt>("POST", `/api/tasks/${taskId}/attempts`, { permissionMode: "full", ...input });
  await api.send(taskId, message);
  await vi.waitFor(async () => expect(await api.executions(id)).toMatchObject([{ status: "success", reason: null }]), {
    timeout: 90_000,
    interval: 200,
  });
  return api.request<Attempt>("GET", `/api/attempts/${id}`);
}

test("[E3] any agent continues where another stopped: Claude Code, then native, then Claude Code again", async () => {
  const first = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    script: [
      { text: "I write it.", toolCalls: [{ name: "Write", arguments: { file_path: "plan.md", content: "1. Buy rope\n" } }] },
      { text: "The plan is in plan.md." },
      { text: "The next step is to tie a bowline." },
      { text: "Bowline it is." },
    ],
  });
  const lastRequest = () => JSON.stringify(first.model.requests.at(-1)?.body);
  expect(await first.run("Make a plan for a knot.")).toMatchObject({ status: "success" });

  const model = "anthropic/claude-sonnet-5";
  const second = await goOn(first, { agent: "native", model, continueFrom: first.attempt.id }, "Which knot comes next?");
  expect(second).toMatchObject({ agent: "native", continuedFrom: first.attempt.id });
  expect(second.directory).not.toBe(first.attempt.directory);
  expect(existsSync(join(second.directory, "plan.md"))).toBe(true);
  const saidBefore = ["Make a plan for a knot.", "Buy rope", "The plan is in plan.md."];
  for (const said of [...saidBefore, "Which knot comes next?"]) expect(lastRequest()).toContain(said);

  await goOn(first, { agent: "claude-code", continueFrom: second.id }, "Do it.");
  for (const said of [...saidBefore, "Which knot comes next?", "tie a bowline", "Do it."]) expect(lastRequest()).toContain(said);
  expect(first.model.violations).toEqual([]);
});

test.each([
  ["claude-code", openClaudeCodeTask],
  ["codex", openCodexTask],
] as const)("[E3] %s forks its own session in the same folder, and that session stays as it is", async (agent, open) => {
  // in another folder there is no fork: its session names files of the first one (E11)
  const attempt = { isolation: "in-place" } as const;
  const task = await open({ script: [{ text: "A bowline." }, { text: "Around a tree." }, { text: "Still a bowline." }], attempt });
  expect(await task.run("Which knot?")).toMatchObject({ status: "success" });
  const before = await task.server.api.request<Attempt>("GET", `/api/attempts/${task.attempt.id}`);
  const branch = await goOn(task, { agent, continueFrom: before.id, ...attempt }, "Around what?");
  const request = JSON.stringify(task.model.requests.at(-1)?.body);
  for (const said of ["Which knot?", "A bowline.", "Around what?"]) expect(request).toContain(said);
  expect(request).not.toContain("<transcript>");
  expect(branch.sessionId).not.toBe(before.sessionId);

  await task.server.api.request("POST", `/api/attempts/${before.id}/activate`, {});
  expect(await task.run("And now?")).toMatchObject({ status: "success" });
  expect(JSON.stringify(task.model.requests.at(-1)?.body)).not.toContain("Around what?");
  expect(task.model.violations).toEqual([]);
});
