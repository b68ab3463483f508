import { isDeepStrictEqual } from "node:util";
import type { ConversationMessage } from "@skein/contracts";

/** Only shown, never stored: that the result of an execution cannot be saved at the moment, and later that it is. */
const isTransient = ({ messageType, metadata }: ConversationMessage): boolean =>
  messageType === "notice" && metadata !== undefined && "code" in metadata && metadata.code === "not-saved-yet";

/**
 * What was shown and is no longer there, or has changed in a way that a client must not see: a text that does not continue the shown one, a
 * tool that had ended, another time or kind.
 */
export function findLost(
  shown: Iterable<{ message: ConversationMessage; isCommitted: boolean }>,
  stored: readonly ConversationMessage[],
  options: { onlyCommitted: (message: ConversationMessage) => boolean },
): string[] {
  const byId = new Map(stored.map((message) => [message.id, message]));
  const replaced = new Set(
    stored.flatMap((message) => (message.messageType === "tool_execution" ? (message.metadata.replaces ?? []) : [])),
  );
  const problems: string[] = [];
  for (const { message, isCommitted } of shown) {
    if (isTransient(message) || replaced.has(message.id) || (!isCommitted && options.onlyCommitted(message))) continue;
    const kept = byId.get(message.id);
    if (kept === undefined) problems.push(`lost: ${JSON.stringify(message).slice(0, 300)}`);
    else if (!isKept(message, kept)) {
      problems.push(`changed: ${JSON.stringify(message).slice(0, 400)}\n  is now ${JSON.stringify(kept).slice(0, 400)}`);
    }
  }
  return problems;
}

function isKept(shown: ConversationMessage, kept: ConversationMessage): boolean {
  if (kept.role !== shown.role || kept.messageType !== shown.messageType || kept.timestamp !== shown.timestamp) return false;
  if (kept.revision === shown.revision) return isDeepStrictEqual(kept, shown);
  if (kept.revision < shown.revision) return false;
  if (shown.messageType !== "tool_execution") return kept.content.startsWith(shown.content);
  return shown.metadata.state === "running" || (kept.messageType === "tool_execution" && kept.metadata.state === shown.metadata.state);
}

/** Whether a client's messages are the newest of the stored ones, in the same order and with the same content. */
export function findDifference(shown: readonly ConversationMessage[], stored: readonly ConversationMessage[]): string | undefined {
  const folded = shown.filter((message) => !isTransient(message));
  const tail = stored.slice(Math.max(0, stored.length - folded.length));
  if (folded.length > stored.length || (folded.length === 0 && stored.length > 0))
    return `${folded.length} messages, ${stored.length} stored`;
  for (const [index, message] of folded.entries()) {
    if (isDeepStrictEqual(message, tail[index])) continue;
    return `message ${index} of ${folded.length}: ${JSON.stringify(message).slice(0, 500)}\n  stored: ${JSON.stringify(tail[index])?.slice(0, 500)}`;
  }
  return undefined;
}
