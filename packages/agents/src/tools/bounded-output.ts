import { takeEnd, takeStart } from "@skein/engine";

/** Keeps the beginning and the end of a text of any length in bounded memory. */
export class BoundedOutput {
  readonly #limit: number;
  #head = "";
  #tail = "";
  #total = 0;

  /** Keeps `limit` characters at each end. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#total;
  }

  get isCut(): boolean {
    return this.#total > this.#head.length + this.#tail.length;
  }

  append(text: string): void {
    this.#total += text.length;
    if (this.#tail === "" && this.#head.length < this.#limit) {
      const start = takeStart(text, this.#limit - this.#head.length);
      this.#head += start;
      this.#tail = text.slice(start.length);
    } else {
      this.#tail += text;
    }
    this.#tail = takeEnd(this.#tail, this.#limit);
  }

  /** `remark` replaces the omitted part. */
  toText(remark: (leftOut: number) => string): string {
    if (!this.isCut) return this.#head + this.#tail;
    return `${this.#head}\n${remark(this.#total - this.#head.length - this.#tail.length)}\n${this.#tail}`;
  }
}
