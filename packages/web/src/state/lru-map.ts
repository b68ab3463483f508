import { keepNewest } from "@skein/engine";

/** A map that keeps the entries used last. `get` and `set` count as a use. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #max: number;

  constructor({ max }: { max: number }) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // a map iterates in the order of insertion: the entry used last is moved to the end
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    keepNewest(this.#entries, this.#max);
  }
}
