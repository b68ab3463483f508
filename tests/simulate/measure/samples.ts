/** Measured values, of which at most `kept` are kept, chosen at random. */
export class Samples {
  readonly #kept: number;
  #values: number[] = [];
  count = 0;
  max = 0;

  constructor(kept = 50_000) {
    this.#kept = kept;
  }

  add(value: number): void {
    this.count++;
    this.max = Math.max(this.max, value);
    if (this.#values.length < this.#kept) this.#values.push(value);
    else {
      const index = Math.floor(Math.random() * this.count);
      if (index < this.#kept) this.#values[index] = value;
    }
  }

  quantile(part: number): number {
    const sorted = this.#values.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  }
}
