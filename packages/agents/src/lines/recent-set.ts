/** A set of ids that forgets what was added longest ago, so that an agent that never ends a call costs no memory. */
export class RecentSet {
  readonly #items: Set<string>;
  readonly #limit: number;

  constructor(limit: number, items: Iterable<string> = []) {
    this.#limit = limit;
    this.#items = new Set(items);
  }

  has(item: string): boolean {
    return this.#items.has(item);
  }

  add(item: string): void {
    this.#items.delete(item);
    this.#items.add(item);
    for (const oldest of this.#items) {
      if (this.#items.size <= this.#limit) break;
      this.#items.delete(oldest);
    }
  }

  delete(item: string): boolean {
    return this.#items.delete(item);
  }

  list(): string[] {
    return [...this.#items];
  }
}
