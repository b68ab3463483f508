import type { ConversationMessage } from "@skein/contracts";
import { expect } from "vitest";
import type { EventStream } from "./event-stream.ts";

/** The newest revision of every message of a task that a client has received. */
export function shownBy(stream: EventStream, taskId: string): Map<string, ConversationMessage> {
  const shown = new Map<string, ConversationMessage>();
  for (const { event } of stream.seen) {
    if (event.type !== "message:added" || event.taskId !== taskId) continue;
    const known = shown.get(event.message.id);
    if (known === undefined || event.message.revision >= known.revision) shown.set(event.message.id, event.message);
  }
  return shown;
}

/** Every message that was shown still exists: same id, time and position, and the same or longer content. */
export function expectKept(before: Iterable<ConversationMessage>, after: readonly ConversationMessage[]): void {
  const byId = new Map(after.map((message) => [message.id, message]));
  for (const shown of before) {
    const kept = byId.get(shown.id);
    expect(kept, `lost: ${JSON.stringify(shown)}`).toBeDefined();
    if (kept === undefined) return;
    expect(kept).toMatchObject({ role: shown.role, messageType: shown.messageType, timestamp: shown.timestamp });
    expect(kept.revision).toBeGreaterThanOrEqual(shown.revision);
    if (kept.revision === shown.revision) expect(kept).toEqual(shown);
    else if (shown.messageType !== "tool_execution") expect(kept.content.startsWith(shown.content)).toBe(true);
    else if (shown.metadata.state !== "running") expect(kept.messageType === "tool_execution" && kept.metadata).toEqual(shown.metadata);
  }
  const order = after.map((message) => message.id);
  expect(new Set(order).size).toBe(order.length);
}
