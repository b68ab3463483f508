import type { MessageBody } from "@skein/contracts";
import { RequestValidationError } from "./request-validation-error.ts";

/**
 * Throws `RequestValidationError` for a history that no provider accepts. It checks what was repaired; it mends nothing.
 * What stands before `from` is known to be right; no pair reaches over it.
 */
export function validateMessages(messages: readonly MessageBody[], { from = 0 }: { from?: number } = {}): void {
  if (messages.length === 0) throw new RequestValidationError("empty");
  if (messages[0]?.role === "tool") throw new RequestValidationError("starts-with-tool", { position: 0 });
  let unanswered: string[] = [];
  for (let position = from; position < messages.length; position++) {
    const message = messages[position];
    if (message?.role === "tool") {
      if (message.content.length === 0) throw new RequestValidationError("orphaned-tool", { position });
      for (const { toolCallId } of message.content) {
        const place = unanswered.indexOf(toolCallId);
        if (place < 0) throw new RequestValidationError("orphaned-tool", { position, toolCallId });
        unanswered.splice(place, 1);
      }
      continue;
    }
    requireAnswers(unanswered, position);
    unanswered = message?.role === "assistant" ? (message.toolCalls?.map((call) => call.id) ?? []) : unanswered;
  }
  requireAnswers(unanswered, messages.length);
}

function requireAnswers(unanswered: readonly string[], position: number): void {
  const [toolCallId] = unanswered;
  if (toolCallId !== undefined) throw new RequestValidationError("unanswered-call", { position: position - 1, toolCallId });
}
