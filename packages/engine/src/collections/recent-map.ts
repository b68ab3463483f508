import { keepNewest } from "./keep-newest.ts";

/** A map of at most `limit` entries: drops the one that was set longest ago. */
export class RecentMap<Key, Value> {
  readonly #entries: Map<Key, Value>;
  readonly #limit: number;

  constructor(limit: number, entries: Iterable<[Key, Value]> = []) {
    this.#limit = limit;
    this.#entries = new Map(entries);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    keepNewest(this.#entries, this.#limit);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  entries(): [Key, Value][] {
    return [...this.#entries];
  }
}
