import type { CommandResult, ConversationState, ImagePart } from "@skein/contracts";

/** A message that is being sent: shown at once, removed as soon as the conversation or the queue contains it. */
export interface OutgoingMessage {
  commandId: string;
  text: string;
  images: readonly ImagePart[];
  /** For the agent at work, at its next step. */
  steer: boolean;
  state: { kind: "sending" } | { kind: "sent"; result: CommandResult } | { kind: "failed"; error: unknown };
}

/** Those that the conversation does not hold yet. */
export function stillOutgoing(outgoing: readonly OutgoingMessage[], state: ConversationState): readonly OutgoingMessage[] {
  const left = outgoing.filter((message) => !arrived(message, state));
  return left.length === outgoing.length ? outgoing : left;
}

function arrived({ state: sending }: OutgoingMessage, state: ConversationState): boolean {
  if (sending.kind !== "sent") return false;
  const { executionId, queued } = sending.result;
  if (executionId === undefined) return queued !== undefined;
  return state.messages.some((message) => message.role === "user" && message.metadata?.executionId === executionId);
}
