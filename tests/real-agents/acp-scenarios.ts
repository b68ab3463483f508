import { join } from "node:path";
import type { Approval, Attempt, ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
import { expect } from "vitest";
import type { AgentTask } from "../support/agent-task.ts";

/** Where the real programs are. */
export const cliFolder = process.env.SKEIN_TEST_CLIS ?? join(import.meta.dirname, "../../.cache/agent-clis/node_modules/.bin");

export const wait = { timeout: 90_000, interval: 50 };

/** A red pixel. */
export const pixel = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
};

export function findTools(messages: readonly ConversationMessage[]): ToolExecutionMessage[] {
  return messages.filter((message) => message.messageType === "tool_execution");
}

/** What a person reads, one line for each message. */
export function tell(messages: readonly ConversationMessage[]): string[] {
  return messages.map((message) =>
    message.messageType === "tool_execution"
      ? `[${message.metadata.state}] ${message.content}`
      : `${message.messageType} ${message.content}`,
  );
}

/** The session that the next message goes on in. */
export async function findSession({ server, attempt }: AgentTask): Promise<string | null> {
  return (await server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`)).sessionId;
}

/** For `allowForGood`: two executions, with the calls that the agent's own tools are made of. */
export function toTurnsForGood<Call>(run: (command: string) => Call, write: (path: string, content: string) => Call) {
  return [
    { toolCalls: [run("npm prefix")] },
    { toolCalls: [run("git tag -l")] },
    { toolCalls: [write("made.txt", "one\n")] },
    { text: "Done." },
    { toolCalls: [run("npm prefix")] },
    { toolCalls: [run("npm prefix && git tag --list")] },
    { toolCalls: [run("git tag two")] },
    { toolCalls: [write("other.txt", "two\n")] },
    { text: "Done again." },
  ];
}

/** Only what nothing that was allowed for good covers is asked again. */
export async function allowForGood(task: AgentTask): Promise<void> {
  const executionId = await task.send("Do it");
  const command = await task.pendingApproval();
  expect(command.grant).toEqual({ type: "command", tool: "execute", command: "npm prefix" });
  await task.answer(command, { decision: "allow-always" });
  const listing = await task.pendingApproval();
  expect(listing.grant).toEqual({ type: "read-only-command", tool: "execute", program: "git tag" });
  await task.answer(listing, { decision: "allow-always" });
  const edit = await task.pendingApproval();
  expect(edit.grant).toEqual({ type: "edits", tool: "file_change" });
  await task.answer(edit, { decision: "allow-always" });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });

  const secondId = await task.send("Again");
  const asked = await task.pendingApproval();
  expect(JSON.stringify(asked.input)).toContain("git tag two");
  await task.answer(asked, { decision: "allow" });
  expect(await task.ended(secondId)).toMatchObject({ status: "success" });
  const approvals = await task.server.api.request<Approval[]>("GET", "/api/approvals");
  expect(approvals.filter((approval) => approval.executionId === secondId).map(({ id }) => id)).toEqual([asked.id]);
  expect(findTools(await task.conversation()).map(({ metadata }) => metadata.state)).toEqual(Array(7).fill("completed"));
}
