import type { IconName } from "../ui/icon.tsx";

export type PaletteGroup = "commands" | "tasks" | "messages" | "tools" | "files";

/** Text with the words that were looked for. */
export interface MarkedText {
  text: string;
  ranges: readonly (readonly [number, number])[];
}

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  icon: IconName;
  title: MarkedText;
  /** A second line, or the end of the first. */
  detail?: MarkedText;
  hint?: string;
  run(): void;
}

/** The runs of a marked text, in order: what to draw, and whether it is marked. */
export function toRuns({ text, ranges }: MarkedText): { text: string; marked: boolean }[] {
  const runs: { text: string; marked: boolean }[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    if (from > at) runs.push({ text: text.slice(at, from), marked: false });
    runs.push({ text: text.slice(Math.max(from, at), to), marked: true });
    at = Math.max(at, to);
  }
  if (at < text.length) runs.push({ text: text.slice(at), marked: false });
  return runs.filter((run) => run.text !== "");
}

/** Where each word of the query is in a title; null when one is missing. An empty query fits everything. */
export function matchWords(title: string, query: string): MarkedText | null {
  const lower = title.toLowerCase();
  // Lower case may be longer than the text itself: then nothing can be marked, but it is still found.
  const canMark = lower.length === title.length;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const places = words.map((word) => [lower.indexOf(word), word.length] as const);
  if (places.some(([at]) => at === -1)) return null;
  const ranges = places.map(([at, length]) => [at, at + length] as const).sort(([a], [b]) => a - b);
  return { text: title, ranges: canMark ? ranges : [] };
}

/** The next item in a list that goes round; -1 when it is empty. */
export function nextIndex(count: number, at: number, key: "ArrowDown" | "ArrowUp" | "Home" | "End"): number {
  if (count === 0) return -1;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return (at + (key === "ArrowDown" ? 1 : -1) + count) % count;
}
