import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "@skein/contracts";
import { expect, test, vi } from "vitest";
import { openClaudeCodeTask } from "../support/claude-code.ts";

test("[E3] any agent goes on where another stopped: Claude Code, then native, then Claude Code again", async () => {
  const first = await openClaudeCodeTask({
    attempt: { permissionMode: "full" },
    script: [
      { text: "I write it.", toolCalls: [{ name: "Write", arguments: { file_path: "plan.md", content: "1. Buy rope\n" } }] },
      { text: "The plan is in plan.md." },
      { text: "The next step is to tie a bowline." },
      { text: "Bowline it is." },
    ],
  });
  const { api } = first.server;
  const lastRequest = () => JSON.stringify(first.model.requests.at(-1)?.body);
  const goOn = async (input: { agent: string; model?: string; continueFrom: string }, message: string): Promise<Attempt> => {
    const attempt = await api.request<Attempt>("POST", `/api/tasks/${first.taskId}/attempts`, input);
    await api.send(first.taskId, message);
    await vi.waitFor(async () => expect(await api.executions(attempt.id)).toMatchObject([{ status: "success", reason: null }]), {
      timeout: 90_000,
      interval: 100,
    });
    return attempt;
  };
  expect(await first.run("Make a plan for a knot.")).toMatchObject({ status: "success" });

  const model = "anthropic/claude-sonnet-5";
  const second = await goOn({ agent: "native", model, continueFrom: first.attempt.id }, "Which knot comes next?");
  expect(second).toMatchObject({ agent: "native", continuedFrom: first.attempt.id });
  expect(second.directory).not.toBe(first.attempt.directory);
  expect(existsSync(join(second.directory, "plan.md"))).toBe(true);
  const saidBefore = ["Make a plan for a knot.", "Buy rope", "The plan is in plan.md."];
  for (const said of [...saidBefore, "Which knot comes next?"]) expect(lastRequest()).toContain(said);

  await goOn({ agent: "claude-code", continueFrom: second.id }, "Do it.");
  for (const said of [...saidBefore, "Which knot comes next?", "tie a bowline", "Do it."]) expect(lastRequest()).toContain(said);
  expect(first.model.violations).toEqual([]);
});
