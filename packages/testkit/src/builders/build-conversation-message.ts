import { type ConversationMessage, conversationMessageSchema, type ToolExecution, type ToolExecutionMessage } from "@skein/contracts";
import { testId, testTime } from "./test-id.ts";

type TextMessage = Extract<ConversationMessage, { messageType: "text" }>;

/** A text of the assistant by default. */
export function buildConversationMessage(overrides: Partial<Omit<TextMessage, "messageType">> = {}): ConversationMessage {
  return conversationMessageSchema.parse({
    id: testId("msg"),
    role: "assistant",
    content: "Hello",
    timestamp: testTime,
    revision: 1,
    ...overrides,
    messageType: "text",
  });
}

/** A completed tool execution by default. */
export function buildToolExecutionMessage(
  overrides: Partial<Omit<ToolExecutionMessage, "messageType" | "metadata">> & { metadata?: Partial<ToolExecution> } = {},
): ToolExecutionMessage {
  const summary = { action: "run", subject: "ls", state: "completed" };
  const tool = { toolName: "Bash", toolUseId: "toolu_1", input: { command: "ls" }, output: "README.md", summary };
  const message = conversationMessageSchema.parse({
    id: `${testId("msg")}-merged`,
    role: "assistant",
    content: "Ran ls",
    timestamp: testTime,
    revision: 1,
    ...overrides,
    messageType: "tool_execution",
    metadata: { ...tool, state: "completed", isError: false, durationMs: 12, ...overrides.metadata },
  });
  if (message.messageType !== "tool_execution") throw new Error("built another type of message");
  return message;
}
