import type { AgentInfo, Attempt, CreateAttempt } from "@skein/contracts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";

type Facts = Pick<TaskConversation, "isLoaded" | "isExecuting"> & Record<"messages" | "outgoing", readonly unknown[]>;

/** What the pane shows: an invitation to start, the messages, or that they are being loaded (or could not be). */
export function toConversationStage(attempt: Attempt | undefined, conversation: Facts): "empty" | "messages" | "loading" {
  if (!attempt) return "empty";
  const { isLoaded, isExecuting, messages, outgoing } = conversation;
  if (!isLoaded) return "loading";
  return messages.length === 0 && outgoing.length === 0 && !isExecuting ? "empty" : "messages";
}

/** A new attempt in which another agent continues, with the other settings unchanged. */
export function toContinuation(
  { id, isolation, permissionMode }: Pick<Attempt, "id" | "isolation" | "permissionMode">,
  agent: Pick<AgentInfo, "id" | "defaultModel">,
): CreateAttempt {
  const model = agent.defaultModel === undefined ? {} : { model: agent.defaultModel };
  return { agent: agent.id, ...model, isolation, permissionMode, continueFrom: id };
}
