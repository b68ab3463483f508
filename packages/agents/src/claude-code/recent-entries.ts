/** A map that forgets what was set longest ago. */
export class RecentEntries<Value> {
  readonly #entries: Map<string, Value>;
  readonly #limit: number;

  constructor(limit: number, entries: Iterable<[string, Value]> = []) {
    this.#limit = limit;
    this.#entries = new Map(entries);
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limit) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }

  entries(): [string, Value][] {
    return [...this.#entries];
  }
}
