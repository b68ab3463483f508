import { setTimeout as delay } from "node:timers/promises";
import type { AssistantMessage, MessageBody, MessageId, Usage } from "@skein/contracts";
import { ModelError, type ModelEvent } from "@skein/engine";
import { MessageAssembly } from "./message-assembly.ts";
import type { PendingCall } from "./pending-call.ts";
import { applyOmissions, type RequestContent, widenOmissions } from "./request-omissions.ts";
import { toToolDefinitions } from "./tool-definitions.ts";
import { notify, type Turn } from "./turn.ts";
import { untilAborted } from "./until-aborted.ts";
import { isWorthRetrying, toRetryDelay } from "./with-retries.ts";

export interface StreamedMessage {
  id: MessageId;
  body: AssistantMessage;
  calls: readonly PendingCall[];
  stopReason: Extract<ModelEvent, { type: "end" }>["stopReason"];
  usage: Usage;
}

/** For a request that was rejected for its length, a size that certainly fits: providers do not report the excess. */
const refusedShare = 0.8;
const longerThanWindow = new ModelError("context-too-long", "The next request was longer than the model's window.");

/**
 * One model call. Tools run only after it is complete, so a retried call cannot run anything twice. It is retried after transient
 * failures, and when the request can be sent without the rejected part.
 */
export async function streamAssistantMessage(turn: Turn, messages: readonly MessageBody[]): Promise<StreamedMessage> {
  const id = turn.createMessageId();
  const content = toRequestContent(turn, messages);
  for (let retries = 0; ; ) {
    // Not every server rejects a request that is too long: some silently drop its beginning.
    while (countRequest(turn, applyOmissions(content, turn.omissions)) > turn.window) {
      if (!leaveOut(turn, content, longerThanWindow)) break;
    }
    const assembly = new MessageAssembly(turn, id);
    try {
      return await streamOnce(turn, assembly, id, applyOmissions(content, turn.omissions));
    } catch (error) {
      if (error instanceof ModelError && error.kind === "context-too-long") {
        turn.window = Math.min(turn.window, Math.floor(countRequest(turn, applyOmissions(content, turn.omissions)) * refusedShare));
      }
      const isTransient = isWorthRetrying(error) && retries < turn.limits.retries;
      if (turn.signal.aborted || !(error instanceof ModelError) || !(isTransient || leaveOut(turn, content, error))) {
        // Text from before the stream broke off is kept and shown.
        assembly.flush();
        throw error;
      }
      assembly.discard();
      if (isTransient) retries++;
      else if (assembly.isEmpty) continue;
      const delayMs = isTransient ? toRetryDelay(error, retries, turn.limits) : 0;
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

/** The content of a turn's request besides its tools. */
export function toRequestContent({ reasoningEffort }: Pick<Turn, "reasoningEffort">, messages: readonly MessageBody[]): RequestContent {
  return { messages, ...(reasoningEffort === undefined ? {} : { reasoningEffort }) };
}

async function streamOnce(turn: Turn, assembly: MessageAssembly, id: MessageId, content: RequestContent): Promise<StreamedMessage> {
  const tools = toToolDefinitions(turn.tools).list;
  const counted = countRequest(turn, content);
  for await (const event of untilAborted(turn.model.stream({ ...content, tools }, { signal: turn.signal }), turn.signal)) {
    turn.signal.throwIfAborted();
    if (event.type !== "end") {
      assembly.add(event);
      continue;
    }
    assembly.flush();
    const { stopReason, usage } = event;
    if (usage.inputTokens !== undefined) turn.counter.calibrate({ counted, reported: usage.inputTokens });
    turn.emit({ type: "message-end", messageId: id, model: turn.model.id, stopReason, usage, at: turn.now() });
    return { id, body: assembly.toBody(), calls: assembly.calls, stopReason, usage };
  }
  throw new ModelError("network", { code: "answer-broke-off" });
}

function countRequest({ counter, tools }: Turn, { messages }: RequestContent): number {
  return counter.countAll(messages) + counter.countText(toToolDefinitions(tools).text);
}

/** A rejected request must not block a conversation forever: the same messages would be rejected again. */
function leaveOut(turn: Turn, content: RequestContent, error: ModelError): boolean {
  const wider = widenOmissions(error, content, turn.omissions);
  if (wider === undefined) return false;
  Object.assign(turn.omissions, wider.omissions);
  notify(turn, { code: "sent-without", reason: error.text, leftOut: wider.leftOut }, "sent-without");
  return true;
}
