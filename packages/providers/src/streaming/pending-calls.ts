import type { ModelEvent } from "@skein/engine";
import { isJsonObject } from "../conversation/tool-arguments.ts";

type ToolCallEvent = Extract<ModelEvent, { type: "tool-call" }>;
type StopReason = Extract<ModelEvent, { type: "end" }>["stopReason"];

/**
 * Calls are told as soon as their arguments can be read. One whose arguments cannot waits for the end: cut off at the output
 * limit it is half a call, and is left out; otherwise the model wrote it so, and should be told what is wrong with it.
 */
export class PendingCalls {
  readonly #unreadable: ToolCallEvent[] = [];

  *add(call: ToolCallEvent): Generator<ToolCallEvent> {
    if (call.arguments.trim() === "") yield { ...call, arguments: "{}" };
    else if (isJsonObject(call.arguments)) yield call;
    else this.#unreadable.push(call);
  }

  *end(stopReason: StopReason): Generator<ToolCallEvent> {
    if (stopReason !== "length") yield* this.#unreadable;
  }
}
