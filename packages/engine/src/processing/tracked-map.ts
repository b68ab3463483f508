/**
 * A map that tracks which of its keys changed since the last `takeChanges()`, so that a commit costs as much as the changes, not as much
 * as the map.
 */
export class TrackedMap<Value> {
  readonly #values: Map<string, Value>;
  readonly #changed = new Set<string>();
  /** The key that changed last: it often changes many times in a row. */
  #lastChanged: string | undefined;
  /** Keys that are in the store: only their deletion has to be reported. */
  readonly #stored = new Set<string>();

  /** `areNew`: these entries have not been stored yet. */
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
   * Each changed key with its current value (undefined: deleted), the last change at the end. Keys that were added and deleted since the
   * last call are left out.
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
