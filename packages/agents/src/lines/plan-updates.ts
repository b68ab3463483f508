import { createHash } from "node:crypto";
import type { TodoItem } from "@skein/contracts";
import type { AssistantBlocks } from "./assistant-blocks.ts";
import type { LineContext } from "./json-line-decoder.ts";

export interface PlanUpdatesState {
  count: number;
  /** The last list, to drop repetitions. */
  hash: string;
}

/**
 * Some agents announce their todo list repeatedly, as an event rather than a call. Each change becomes a call with a result, so that it
 * is displayed like every other todo list, at the time of the change.
 */
export class PlanUpdates {
  #state: PlanUpdatesState;

  constructor(state?: PlanUpdatesState) {
    this.#state = state ?? { count: 0, hash: "" };
  }

  show(items: TodoItem[], blocks: AssistantBlocks, { ids, at, toolUseId, emit }: LineContext): void {
    const hash = createHash("sha256").update(JSON.stringify(items)).digest("base64url");
    if (hash === this.#state.hash) return;
    this.#state = { count: this.#state.count + 1, hash };
    const id = toolUseId(`plan-${this.#state.count}`);
    emit({ type: "tool-use", toolUseId: id, toolName: "update_plan", input: { items }, ...blocks.addUse(ids), at });
    emit({ type: "tool-result", resultId: ids.next(), toolUseId: id, toolName: "update_plan", output: "", isError: false, at });
    blocks.addResult();
  }

  save(): PlanUpdatesState {
    return { ...this.#state };
  }
}
