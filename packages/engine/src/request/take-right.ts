import type { MessageBody, ToolCall, ToolResultPart } from "@skein/contracts";
import type { AcceptedMessage } from "../legacy/normalize-message.ts";
import { hasPlainResult, type RequestMessage } from "./apply-compression.ts";
import { saysSomething } from "./drop-invalid-messages.ts";
import type { Range } from "./prepare-range.ts";

/**
 * Adds to `bodies` what no step changes, in one look at each message, and gives the position of the first that needs a
 * closer one. Nearly all of a history is like that, so this is what building a request costs. `ids` are the ids of all
 * calls so far; those that are taken here are added.
 */
export function takeRight(messages: readonly RequestMessage[], { from, to }: Range, bodies: MessageBody[], ids: Set<string>): number {
  let position = from;
  while (position < to) {
    const body = messages[position]?.body;
    if (body === undefined || !isPlain(body)) return position;
    const calls = body.role === "assistant" ? body.toolCalls : undefined;
    if (calls === undefined || calls.length === 0) {
      if (body.role === "assistant" && !saysSomething(body)) return position;
      bodies.push(body);
      position += 1;
      continue;
    }
    const next = findAnswered(messages, { from: position + 1, to }, calls);
    if (next < 0 || !claimAll(calls, ids)) return position;
    bodies.push(body);
    for (position += 1; position < next; position++) bodies.push(messages[position]?.body as MessageBody);
  }
  return position;
}

/** Spoken as it is, and no result: those are taken with their calls. */
function isPlain(body: AcceptedMessage): body is Exclude<MessageBody, { role: "tool" }> {
  switch (body.role) {
    case "user":
      return typeof body.content === "string";
    case "assistant":
      return body.content !== undefined && body.content !== null;
    case "system":
      return true;
    case "tool":
      return false;
  }
}

/** Where the messages that answer just these calls, in their order, end; -1 when others follow them. */
function findAnswered(messages: readonly RequestMessage[], { from, to }: Range, calls: readonly ToolCall[]): number {
  let answered = 0;
  let position = from;
  while (answered < calls.length) {
    const body = position < to ? messages[position++]?.body : undefined;
    if (body?.role !== "tool" || typeof body.content === "string" || body.content.length === 0 || "toolCallId" in body) return -1;
    for (const part of body.content as readonly ToolResultPart[]) {
      if (part.type !== "tool-result" || part.toolCallId !== calls[answered++]?.id || !hasPlainResult(part)) return -1;
    }
  }
  // one more result that follows belongs to no call of these
  return position < to && messages[position]?.body.role === "tool" ? -1 : position;
}

/** False, and `ids` as it was, when one of them is empty or taken. */
function claimAll(calls: readonly ToolCall[], ids: Set<string>): boolean {
  for (let i = 0; i < calls.length; i++) {
    const id = calls[i]?.id ?? "";
    const before = ids.size;
    if (id !== "" && ids.add(id).size > before) continue;
    for (const call of calls.slice(0, i)) ids.delete(call.id);
    return false;
  }
  return true;
}
