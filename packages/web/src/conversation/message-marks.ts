import type { ConversationMessage } from "@skein/contracts";

export type MarkKind = "error" | "prompt";
export type Direction = "next" | "previous";

/** What the user can jump to: errors, or their own messages. */
export function isMarked(message: ConversationMessage, kind: MarkKind): boolean {
  if (kind === "prompt") return message.role === "user";
  if (message.messageType === "error") return true;
  if (message.messageType === "tool_result") return message.metadata.isError;
  return message.messageType === "tool_execution" && ["failed", "timed-out", "denied"].includes(message.metadata.state);
}

/** The marked message after or before `from`; from the end, or beyond it, where `from` is not given or not there. */
export function findMarked(
  messages: readonly ConversationMessage[],
  { kind, direction, from }: { kind: MarkKind; direction: Direction; from: string | null },
): ConversationMessage | undefined {
  const place = from === null ? -1 : messages.findIndex(({ id }) => id === from);
  if (direction === "next") return place === -1 ? undefined : messages.slice(place + 1).find((message) => isMarked(message, kind));
  return messages.slice(0, place === -1 ? messages.length : place).findLast((message) => isMarked(message, kind));
}
