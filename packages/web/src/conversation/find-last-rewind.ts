import type { ConversationMessage, Execution } from "@skein/contracts";
import type { RewindRequest } from "./rewind-request.ts";

/** The request for the last execution that has ended; undefined where there is none, or its message is not loaded. */
export function findLastRewind(
  action: RewindRequest["kind"],
  { executions, messages }: { executions: readonly Execution[]; messages: readonly ConversationMessage[] },
): RewindRequest | undefined {
  const executionId = executions.findLast(({ status }) => status !== "running")?.id;
  if (executionId === undefined) return undefined;
  if (action === "restore") return { kind: "restore", executionId, to: "before" };
  if (action === "fork") return { kind: "fork", executionId };
  const message = messages.find((one) => isUserMessage(one) && one.metadata?.executionId === executionId);
  return message && toResend(message);
}

/** Undefined for a message that started no execution. */
export function toResend(message: ConversationMessage): Extract<RewindRequest, { kind: "resend" }> | undefined {
  const executionId = message.metadata?.executionId;
  if (!isUserMessage(message) || executionId === undefined) return undefined;
  return { kind: "resend", executionId, message: { text: message.content, images: message.metadata?.images ?? [] } };
}

const isUserMessage = (message: ConversationMessage): message is Extract<ConversationMessage, { messageType: "text" }> =>
  message.role === "user" && message.messageType === "text";
