import type { ModelEvent } from "@skein/engine";
import { isObjectText } from "@skein/engine/formats";

type ToolCallEvent = Extract<ModelEvent, { type: "tool-call" }>;
type StopReason = Extract<ModelEvent, { type: "end" }>["stopReason"];

/**
 * Calls are reported as soon as their arguments can be parsed. A call whose arguments cannot be parsed is held until the end: it is
 * dropped if the output limit cut it off; otherwise the model wrote it that way and gets an error as its result.
 */
export class PendingCalls {
  readonly #unreadable: ToolCallEvent[] = [];

  *add(call: ToolCallEvent): Generator<ToolCallEvent> {
    if (call.arguments.trim() === "") yield { ...call, arguments: "{}" };
    else if (isObjectText(call.arguments)) yield call;
    else this.#unreadable.push(call);
  }

  *end(stopReason: StopReason): Generator<ToolCallEvent> {
    if (stopReason !== "length") yield* this.#unreadable;
  }
}
