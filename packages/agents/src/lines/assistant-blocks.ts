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
 * Groups the blocks of an agent that does not mark the boundaries of assistant messages: texts and the calls after them are one message;
 * text after a call, or a call after a result, begins the next. So in the protocol view every result follows its call (P2), and parallel
 * calls stay together.
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

  /** The agent is done: its last text is complete, not cut off by the end of the log. */
  end({ at, emit }: LineContext): void {
    if (this.#state.messageId !== null) emit({ type: "message-end", messageId: this.#state.messageId, at });
  }

  /** Whether a block of this message can still be updated: after its end a message is final. */
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
