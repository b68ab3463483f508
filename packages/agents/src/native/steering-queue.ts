import type { SteeringMessage } from "./native-control.ts";

/** Steering messages that the agent has not read yet. Duplicates are ignored: a restarted server sends them again. */
export class SteeringQueue {
  readonly #known = new Set<string>();
  #waiting: SteeringMessage[] = [];

  add(message: SteeringMessage): void {
    if (this.#known.has(message.id)) return;
    this.#known.add(message.id);
    this.#waiting.push(message);
  }

  /** Empties the queue, oldest first. */
  take(): SteeringMessage[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
