import type { MessageId } from "@skein/contracts";
import type { LineIds } from "./execution-ids.ts";
import type { LineContext } from "./json-line-decoder.ts";

export interface BlockAddress {
  messageId: MessageId;
  index: number;
}

export interface AssistantBlocksState {
  messageId: MessageId | null;
  nextIndex: number;
  phase: "speaking" | "calling" | "answered";
}

/**
 * Groups the blocks of an agent that does not mark where one assistant message ends and the next begins: what is said, then
 * the calls, are one message; words after a call, or a call after a result, begin the next. So in the protocol view every
 * result follows its call (P2), and calls that were made together stay together.
 */
export class AssistantBlocks {
  #state: AssistantBlocksState;

  constructor(state?: AssistantBlocksState) {
    this.#state = state ?? { messageId: null, nextIndex: 0, phase: "speaking" };
  }

  addText(ids: LineIds): BlockAddress {
    return this.#add(ids, "speaking", this.#state.phase !== "speaking");
  }

  addUse(ids: LineIds): BlockAddress {
    return this.#add(ids, "calling", this.#state.phase === "answered");
  }

  addResult(): void {
    if (this.#state.phase === "calling") this.#state.phase = "answered";
  }

  /** The agent is done: its last words are complete, and not cut off where the log ends. */
  end({ at, emit }: LineContext): void {
    if (this.#state.messageId !== null) emit({ type: "message-end", messageId: this.#state.messageId, at });
  }

  /** Whether a block of this message can still be said again: later the message is over and stays as it is. */
  isOpen({ messageId }: BlockAddress): boolean {
    return this.#state.messageId === messageId;
  }

  save(): AssistantBlocksState {
    return { ...this.#state };
  }

  #add(ids: LineIds, phase: AssistantBlocksState["phase"], isNext: boolean): BlockAddress {
    const { messageId } = this.#state;
    const id = messageId === null || isNext ? ids.next() : messageId;
    const index = id === messageId ? this.#state.nextIndex : 0;
    this.#state = { messageId: id, nextIndex: index + 1, phase };
    return { messageId: id, index };
  }
}
