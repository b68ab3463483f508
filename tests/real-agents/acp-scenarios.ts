import { join } from "node:path";
import type { Attempt, ConversationMessage, ToolExecutionMessage } from "@skein/contracts";
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
