import type { Sample } from "./prometheus-text.ts";

type Labels = Readonly<Record<string, string>>;

/** More label values than that are counted as `other`: agents have names that users choose. */
const maxSeries = 200;

/** A counter with labels. */
export class Counter {
  readonly #series = new Map<string, { labels: Labels; value: number }>();

  add(labels: Labels, by = 1): void {
    const one = find(this.#series, labels, (own) => ({ labels: own, value: 0 }));
    one.value += by;
  }

  samples(): Sample[] {
    return [...this.#series.values()];
  }
}

/** A histogram with labels. `bounds` ascend; `+Inf` is added. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const one = find(this.#series, labels, (own) => ({ labels: own, counts: this.#bounds.map(() => 0), sum: 0, count: 0 }));
    this.#bounds.forEach((bound, i) => {
      if (value <= bound) one.counts[i] = (one.counts[i] ?? 0) + 1;
    });
    one.sum += value;
    one.count++;
  }

  samples(): Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum, count }): Sample[] => [
      ...this.#bounds.map((bound, i) => ({ suffix: "_bucket", labels: { ...labels, le: String(bound) }, value: counts[i] ?? 0 })),
      { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value: count },
    ]);
  }
}

function find<T>(series: Map<string, T>, labels: Labels, create: (labels: Labels) => T): T {
  const known = series.get(JSON.stringify(labels));
  if (known !== undefined) return known;
  const own = series.size < maxSeries ? labels : Object.fromEntries(Object.keys(labels).map((name) => [name, "other"]));
  const key = JSON.stringify(own);
  const created = series.get(key) ?? create(own);
  series.set(key, created);
  return created;
}
