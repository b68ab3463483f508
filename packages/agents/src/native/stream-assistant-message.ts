import { setTimeout as delay } from "node:timers/promises";
import type { AssistantMessage, MessageBody, MessageId, Usage } from "@skein/contracts";
import { ModelError, type ModelErrorKind, type ModelEvent } from "@skein/engine";
import { MessageAssembly } from "./message-assembly.ts";
import type { PendingCall } from "./pending-call.ts";
import { applyOmissions, type RequestContent, widenOmissions } from "./request-omissions.ts";
import { notify, type Turn } from "./turn.ts";
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

/**
 * One model call. Tools run only after it is complete, so a call that is made again can run nothing twice. It is made
 * again when the failure may pass, and when the request can be sent without what was refused.
 */
export async function streamAssistantMessage(turn: Turn, messages: readonly MessageBody[]): Promise<StreamedMessage> {
  const id = turn.createMessageId();
  const content: RequestContent = { messages, ...(turn.reasoningEffort === undefined ? {} : { reasoningEffort: turn.reasoningEffort }) };
  for (let retries = 0; ; ) {
    const assembly = new MessageAssembly(turn, id);
    try {
      return await streamOnce(turn, assembly, id, applyOmissions(content, turn.omissions));
    } catch (error) {
      const isPassing = error instanceof ModelError && passing.includes(error.kind) && retries < turn.limits.retries;
      if (turn.signal.aborted || !(error instanceof ModelError) || !(isPassing || leaveOut(turn, content, error))) {
        // What was said before it broke off is kept and shown.
        assembly.flush();
        throw error;
      }
      assembly.discard();
      if (isPassing) retries++;
      else if (assembly.isEmpty) continue;
      const delayMs = isPassing ? Math.min(longestDelayMs, error.retryAfterMs ?? turn.limits.retryDelayMs * 2 ** (retries - 1)) : 0;
      turn.emit({
        type: "retry",
        messageId: id,
        attempt: Math.max(1, retries),
        delayMs: Math.ceil(delayMs),
        reason: error.message,
        at: turn.now(),
      });
      await delay(delayMs, undefined, { signal: turn.signal });
    }
  }
}

async function streamOnce(turn: Turn, assembly: MessageAssembly, id: MessageId, content: RequestContent): Promise<StreamedMessage> {
  const tools = [...turn.tools.values()].map((tool) => tool.definition);
  for await (const event of untilAborted(turn.model.stream({ ...content, tools }, { signal: turn.signal }), turn.signal)) {
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
}

/** A refused request must not end a conversation for good: the same messages would be refused for ever. */
function leaveOut(turn: Turn, content: RequestContent, error: ModelError): boolean {
  const wider = widenOmissions(error, content, turn.omissions);
  if (wider === undefined) return false;
  Object.assign(turn.omissions, wider.omissions);
  const text = `${error.message}\nThe request was sent again without ${wider.leftOut}. The conversation itself is unchanged.`;
  notify(turn, text, "sent-without");
  return true;
}
