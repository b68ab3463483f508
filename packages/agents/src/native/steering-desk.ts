import type { SteeringMessage } from "./native-control.ts";

/** Where the user's messages wait until the agent can take them in. An id counts once: it is sent again after a restart of the server. */
export class SteeringDesk {
  readonly #known = new Set<string>();
  #waiting: SteeringMessage[] = [];

  add(message: SteeringMessage): void {
    if (this.#known.has(message.id)) return;
    this.#known.add(message.id);
    this.#waiting.push(message);
  }

  /** In the order in which they came; each is given out once. */
  take(): SteeringMessage[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}
