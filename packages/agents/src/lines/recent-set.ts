import { keepNewest } from "@skein/engine/keep-newest";

/** A set that keeps only the newest ids. */
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
    keepNewest(this.#items, this.#limit);
  }

  delete(item: string): boolean {
    return this.#items.delete(item);
  }

  list(): string[] {
    return [...this.#items];
  }
}
