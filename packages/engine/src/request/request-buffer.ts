import type { MessageBody } from "@skein/contracts";

/**
 * Messages of a request that only grows. The first place is kept free for the system message, so that a request is one copy of
 * pointers: joining three arrays takes twice as long, and of a long history this copy is all that remains to be done.
 */
export class RequestBuffer {
  readonly #messages: MessageBody[] = [{ role: "system", content: "" }];

  get length(): number {
    return this.#messages.length - 1;
  }

  append(messages: readonly MessageBody[]): void {
    for (const message of messages) this.#messages.push(message);
  }

  /** A new array: the system message, what is in the buffer, and `tail`, which does not stay in it. */
  toRequest(system: MessageBody | undefined, tail: readonly MessageBody[]): MessageBody[] {
    const { length } = this.#messages;
    if (system !== undefined) this.#messages[0] = system;
    this.append(tail);
    const request = this.#messages.slice(system === undefined ? 1 : 0);
    this.#messages.length = length;
    return request;
  }
}
