import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt, ConversationMessage, Execution } from "@skein/contracts";
import { expect, test } from "vitest";
import { openClaudeCodeTask } from "../support/claude-code.ts";

/** Who said what, and for tools how they ended. */
function told(messages: readonly ConversationMessage[]): string[][] {
  return messages.map((message) =>
    message.messageType === "tool_execution"
      ? [message.metadata.toolName, message.metadata.state, message.content]
      : [message.role, message.content],
  );
}

function costOf(execution: Execution): number {
  return execution.status === "running" ? 0 : (execution.usage.costUsd ?? 0);
}

test("[E3, E9, E10] a tool that was agreed to, then a second execution in the same session, each with its own cost", async () => {
  const task = await openClaudeCodeTask({
    script: [
      { text: "I will write.", toolCalls: [{ name: "Write", arguments: { file_path: "made.txt", content: "hi\n" } }] },
      { text: "Done." },
      { text: "Again." },
    ],
  });
  const first = await task.send("write a file");
  const approval = await task.pendingApproval();
  expect(approval).toMatchObject({ toolName: "Write", grant: { tool: "Edit", commandPrefix: null } });
  await task.answer(approval, { decision: "allow" });
  const firstEnd = await task.ended(first);
  const attempt = () => task.server.api.request<Attempt>("GET", `/api/attempts/${task.attempt.id}`);
  const { sessionId } = await attempt();
  const second = await task.run("and again");

  expect(second).toMatchObject({ status: "success", exitCode: 0 });
  expect((await attempt()).sessionId).toBe(sessionId);
  expect(told(await task.conversation())).toEqual([
    ["user", "write a file"],
    ["assistant", "I will write."],
    ["Write", "completed", "Created made.txt"],
    ["assistant", "Done."],
    ["user", "and again"],
    ["assistant", "Again."],
  ]);
  expect(readFileSync(join(task.attempt.directory, "made.txt"), "utf8")).toBe("hi\n");
  expect(task.model.requests.map(({ body }) => JSON.stringify(body).includes("write a file"))).toEqual([true, true, true]);
  // two requests cost about twice what one does: the second execution pays for its own only
  expect(costOf(second)).toBeGreaterThan(0);
  expect(costOf(second)).toBeLessThan((costOf(firstEnd) * 3) / 4);
  expect(task.model.violations).toEqual([]);
});
