/**
 * A map that remembers which of its keys changed since the last `takeChanges()`: what is stored with every commit follows what
 * happened, not how much there is.
 */
export class TrackedMap<Value> {
  readonly #values: Map<string, Value>;
  readonly #changed = new Set<string>();
  /** The one that changed last: it often changes many times in a row. */
  #lastChanged: string | undefined;
  /** Keys that the last `takeChanges()` left in the store: of others nobody has to know that they are gone. */
  readonly #stored = new Set<string>();

  /** `areNew`: nobody has stored these entries yet. */
  constructor(entries: Iterable<readonly [string, Value]> = [], { areNew = false } = {}) {
    this.#values = new Map(entries);
    for (const key of this.#values.keys()) (areNew ? this.#changed : this.#stored).add(key);
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    this.#values.set(key, value);
    this.#mark(key);
  }

  /** The value was changed in place. */
  touch(key: string): void {
    if (this.#values.has(key)) this.#mark(key);
  }

  delete(key: string): void {
    if (this.#values.delete(key)) this.#mark(key);
  }

  clear(): void {
    for (const key of [...this.#values.keys()]) this.delete(key);
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }

  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.#values.entries();
  }

  /**
   * Each key that changed, with its value now (undefined: it is gone), the one that changed last at the end. What came and went
   * since the last call is left out.
   */
  takeChanges(): [string, Value | undefined][] {
    const changes: [string, Value | undefined][] = [];
    for (const key of this.#changed) {
      const value = this.#values.get(key);
      if (value !== undefined) this.#stored.add(key);
      else if (!this.#stored.delete(key)) continue;
      changes.push([key, value]);
    }
    this.#changed.clear();
    this.#lastChanged = undefined;
    return changes;
  }

  #mark(key: string): void {
    if (key === this.#lastChanged) return;
    this.#changed.delete(key);
    this.#changed.add(key);
    this.#lastChanged = key;
  }
}
