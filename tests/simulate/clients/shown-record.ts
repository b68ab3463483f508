import type { ConversationMessage, Delivery, MessageGrowth, MessageReference, SkeinEvent } from "@skein/contracts";
import { ShownMessages } from "@skein/engine";
import type { SseFrame } from "./sse-frames.ts";

export interface ShownMessage {
  message: ConversationMessage;
  /** This revision was committed: also the loss of a machine must not lose it. */
  isCommitted: boolean;
}

/** The newest revision of every message that a client was shown, by task; of all tasks, or of one. */
export class ShownRecord {
  readonly byTask = new Map<string, Map<string, ShownMessage>>();
  readonly #only: string | undefined;
  #connection = new ShownMessages();

  constructor(only?: string) {
    this.#only = only;
  }

  /** A new connection repeats nothing by reference. */
  reconnected(): void {
    this.#connection = new ShownMessages();
  }

  /** What a frame delivers, if it is about the task. `misfit`: the client has to connect again. */
  read({ id, event: type, data }: SseFrame): Delivery | "misfit" | undefined {
    if (type === undefined || type === "server:health") return undefined;
    const seq = id === undefined ? {} : { seq: id };
    if (type === "message:committed") {
      const reference = JSON.parse(data) as MessageReference;
      const event = this.#connection.takeCommitted(reference);
      if (event === undefined) return undefined;
      this.show(event.taskId, event.message, event.message.revision === reference.revision);
      return { ...seq, event };
    }
    if (this.#only === undefined ? !type.startsWith("message:") : !data.includes(`"${this.#only}"`)) return undefined;
    const event =
      type === "message:grown" ? this.#connection.fromGrowth(JSON.parse(data) as MessageGrowth) : (JSON.parse(data) as SkeinEvent);
    if (event === undefined) return "misfit";
    const delivery: Delivery = { ...seq, event };
    this.#connection.add(delivery);
    if (event.type === "message:added") this.show(event.taskId, event.message, id !== undefined);
    return delivery;
  }

  show(taskId: string, message: ConversationMessage, isCommitted: boolean): void {
    let ofTask = this.byTask.get(taskId);
    if (ofTask === undefined) {
      ofTask = new Map();
      this.byTask.set(taskId, ofTask);
    }
    const known = ofTask.get(message.id);
    if (known !== undefined && known.message.revision > message.revision) return;
    const wasCommitted = known?.isCommitted === true && known.message.revision === message.revision;
    ofTask.set(message.id, { message, isCommitted: isCommitted || wasCommitted });
  }
}
