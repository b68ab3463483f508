import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Approval, Attempt, ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
import { findMarkedProcesses } from "@skein/testkit/mcp-servers";
import { expect, vi } from "vitest";
import type { AgentTask } from "../support/agent-task.ts";

/** Where the real programs are. */
export const cliFolder = process.env.SKEIN_TEST_CLIS ?? join(import.meta.dirname, "../../.cache/agent-clis/node_modules/.bin");

export const wait = { timeout: 200_000, interval: 200 };

/** A red pixel. */
export const pixel = {
  mediaType: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==",
};

export function findTools(messages: readonly ConversationMessage[]): ToolExecutionMessage[] {
  return messages.filter((message) => message.messageType === "tool_execution");
}

/** What the user sees, one line for each message, without notices about a busy machine's silence. */
export function toShownLines(messages: readonly ConversationMessage[]): string[] {
  const isSilence = (message: ConversationMessage) => message.messageType === "notice" && message.metadata?.code === "agent-silent";
  return messages
    .filter((message) => !isSilence(message))
    .map((message) =>
      message.messageType === "tool_execution"
        ? `[${message.metadata.state}] ${message.content}`
        : `${message.messageType} ${message.content}`,
    );
}

/** The session in which the next message continues. */
export async function findSession({ server, attempt }: AgentTask): Promise<string | null> {
  return (await server.api.request<Attempt>("GET", `/api/attempts/${attempt.id}`)).sessionId;
}

/**
 * For `askAndAllow` and `stopAtWork`, with the calls that the agent's own tools are made of; `afterDenial` is what the model
 * says once its call was denied.
 */
export function toTurns<Call>(run: (command: string) => Call, write: (path: string, content: string) => Call, afterDenial: string[]) {
  return [
    { toolCalls: [run("npm prefix")] },
    { toolCalls: [run("git tag -l")] },
    { toolCalls: [write("made.txt", "one\n")] },
    { toolCalls: [run("echo one > one.txt")] },
    { toolCalls: [run("rm -rf .git")] },
    ...afterDenial.map((text) => ({ text })),
    { toolCalls: [run("npm prefix")] },
    { toolCalls: [run("npm prefix && git tag --list")] },
    { toolCalls: [write("other.txt", "two\n")] },
    { toolCalls: [run("git tag two; touch begun; sleep 300")] },
  ];
}

/** Allowed once, allowed permanently, and denied with a reason. */
export async function askAndAllow(
  task: AgentTask,
  { toolName, editInput }: { toolName: string; editInput(path: string): object },
): Promise<void> {
  const executionId = await task.send("Do it");
  const command = await task.pendingApproval();
  expect(command.grant).toEqual({ type: "command", tool: "execute", command: "npm prefix" });
  await task.answer(command, { decision: "allow-always" });
  const listing = await task.pendingApproval();
  expect(listing.grant).toEqual({ type: "read-only-command", tool: "execute", program: "git tag" });
  await task.answer(listing, { decision: "allow-always" });
  const edit = await task.pendingApproval();
  expect(edit.grant).toEqual({ type: "edits", tool: "file_change" });
  // the new content is in the question itself, or computed from it
  expect(edit.input).toMatchObject(editInput(join(task.attempt.directory, "made.txt")));
  await task.answer(edit, { decision: "allow-always" });
  const once = await task.pendingApproval();
  expect(once).toMatchObject({ toolName, input: { command: "echo one > one.txt" } });
  await task.answer(once, { decision: "allow" });
  await task.answer(await task.pendingApproval(), { decision: "deny", reason: "Leave git alone." });
  expect(await task.ended(executionId)).toMatchObject({ status: "success" });
  expect(existsSync(join(task.attempt.directory, "one.txt"))).toBe(true);
  expect(existsSync(join(task.attempt.directory, ".git"))).toBe(true);
  const states = findTools(await task.conversation()).map(({ metadata }) => metadata.state);
  expect(states).toEqual([...Array(4).fill("completed"), "denied"]);
}

/** Asks again only for calls that no permanent permission covers; then a stop in the middle. */
export async function stopAtWork(task: AgentTask): Promise<void> {
  const executionId = await task.send("Again");
  const asked = await task.pendingApproval();
  expect(JSON.stringify(asked.input)).toContain("git tag two");
  await task.answer(asked, { decision: "allow" });
  await vi.waitFor(() => expect(existsSync(join(task.attempt.directory, "begun"))).toBe(true), wait);
  await task.stop();
  expect(await task.ended(executionId)).toMatchObject({ status: "cancelled" });
  expect(findMarkedProcesses("SKEIN_EXECUTION_ID", executionId)).toEqual([]);
  const approvals = await task.server.api.request<Approval[]>("GET", "/api/approvals");
  expect(approvals.filter((approval) => approval.executionId === executionId).map(({ id }) => id)).toEqual([asked.id]);
  const states = findTools(await task.conversation()).map(({ metadata }) => metadata.state);
  expect(states.slice(5, 8)).toEqual(Array(3).fill("completed"));
  expect(states[8]).toBe("interrupted");
}
