export type Range = readonly [from: number, to: number];

/** Joins overlapping and adjacent spans, in order. */
export function joinSpans(spans: readonly { from: number; to: number }[]): Range[] {
  const joined: [number, number][] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** Total duration; overlaps count once. */
export function sumSpans(spans: readonly { from: number; to: number }[]): number {
  return joinSpans(spans).reduce((sum, [from, to]) => sum + to - from, 0);
}
