export interface TextCoalescerOptions<Key> {
  /** How long text may wait for more. */
  patienceMs: number;
  maximumLength: number;
  flush(key: Key, text: string): void;
}

/** Joins small deltas of the same stream, so that a log has one record per interval instead of one per token. Order is kept. */
export class TextCoalescer<Key> {
  readonly #options: TextCoalescerOptions<Key>;
  readonly #isSame: (a: Key, b: Key) => boolean;
  #pending: { key: Key; text: string } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: TextCoalescerOptions<Key>, isSame: (a: Key, b: Key) => boolean) {
    this.#options = options;
    this.#isSame = isSame;
  }

  push(key: Key, text: string): void {
    if (text === "") return;
    if (this.#pending !== undefined && !this.#isSame(this.#pending.key, key)) this.flush();
    this.#pending = { key, text: (this.#pending?.text ?? "") + text };
    if (this.#pending.text.length >= this.#options.maximumLength) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.#options.patienceMs);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) this.#options.flush(pending.key, pending.text);
  }

  /** Discards what is buffered. */
  discard(): void {
    this.#pending = undefined;
    this.flush();
  }
}
