/** Numbers messages and calls in the order in which they begin. */
export class Serials {
  #next: number;

  constructor(next = 0) {
    this.#next = next;
  }

  next(): number {
    return this.#next++;
  }

  save(): { nextSerial: number } {
    return { nextSerial: this.#next };
  }
}
