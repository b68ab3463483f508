import { setTimeout as delay } from "node:timers/promises";
import type { AssistantMessage, MessageBody, MessageId, Usage } from "@skein/contracts";
import { ModelError, type ModelErrorKind, type ModelEvent } from "@skein/engine";
import { MessageAssembly } from "./message-assembly.ts";
import type { PendingCall } from "./pending-call.ts";
import type { Turn } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";

export interface StreamedMessage {
  id: MessageId;
  body: AssistantMessage;
  calls: readonly PendingCall[];
  stopReason: Extract<ModelEvent, { type: "end" }>["stopReason"];
  usage: Usage;
}

const passing: readonly ModelErrorKind[] = ["rate-limit", "overloaded", "network"];
const longestDelayMs = 60_000;

/** One model call. Tools run only after it is complete, so a call that is made again can run nothing twice. */
export async function streamAssistantMessage(turn: Turn, messages: readonly MessageBody[]): Promise<StreamedMessage> {
  const id = turn.createMessageId();
  const tools = [...turn.tools.values()].map((tool) => tool.definition);
  for (let attempt = 1; ; attempt++) {
    const assembly = new MessageAssembly(turn, id);
    try {
      for await (const event of untilAborted(turn.model.stream({ messages, tools }, { signal: turn.signal }), turn.signal)) {
        turn.signal.throwIfAborted();
        if (event.type !== "end") {
          assembly.add(event);
          continue;
        }
        assembly.flush();
        const { stopReason, usage } = event;
        turn.emit({ type: "message-end", messageId: id, model: turn.model.id, stopReason, usage, at: turn.now() });
        return { id, body: assembly.toBody(), calls: assembly.calls, stopReason, usage };
      }
      throw new ModelError("network", "The model's answer broke off.");
    } catch (error) {
      const retry = !turn.signal.aborted && error instanceof ModelError && passing.includes(error.kind) && attempt <= turn.limits.retries;
      if (!retry) {
        // What was said before it broke off is kept and shown.
        assembly.flush();
        throw error;
      }
      assembly.discard();
      const delayMs = Math.min(longestDelayMs, error.retryAfterMs ?? turn.limits.retryDelayMs * 2 ** (attempt - 1));
      turn.emit({ type: "retry", messageId: id, attempt, delayMs: Math.ceil(delayMs), reason: error.message, at: turn.now() });
      await delay(delayMs, undefined, { signal: turn.signal });
    }
  }
}
