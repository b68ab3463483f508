import type { MessageBody } from "@skein/contracts";

/**
 * Messages of a request that only grows. The first place is kept free for the system message, so that a request is one copy of
 * pointers, or none: of a long history this copy is all that remains to be done.
 */
export class RequestBuffer {
  readonly #messages: MessageBody[] = [{ role: "system", content: "" }];
  /** With the first place. What is behind it is the tail of the last view. */
  #settledLength = 1;

  get length(): number {
    return this.#settledLength - 1;
  }

  append(messages: readonly MessageBody[]): void {
    this.fill((settled) => {
      for (const message of messages) settled.push(message);
    });
  }

  /** Appends what `take` adds, and returns how much that was. */
  fill(take: (messages: MessageBody[]) => void): number {
    this.#messages.length = this.#settledLength;
    take(this.#messages);
    const count = this.#messages.length - this.#settledLength;
    this.#settledLength += count;
    return count;
  }

  /** A new array: the system message, what is in the buffer, and `tail`, which does not stay in it. */
  toRequest(system: MessageBody | undefined, tail: readonly MessageBody[]): MessageBody[] {
    return system === undefined ? this.#withTail(tail).slice(1) : this.toView(system, tail).slice();
  }

  /** The same without a copy: the buffer's own array, which the next change of the buffer changes. */
  toView(system: MessageBody, tail: readonly MessageBody[]): readonly MessageBody[] {
    this.#messages[0] = system;
    return this.#withTail(tail);
  }

  #withTail(tail: readonly MessageBody[]): readonly MessageBody[] {
    this.#messages.length = this.#settledLength;
    for (const message of tail) this.#messages.push(message);
    return this.#messages;
  }
}
