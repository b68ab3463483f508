import { splitsPair } from "@skein/engine";
import { foldText } from "./fold-text.ts";

const lead = 60;
const length = 200;

export interface Excerpt {
  text: string;
  /** Positions of the terms: from, to. In order, not overlapping. */
  ranges: [number, number][];
}

/** The part of a text around the first matching term, on one line. */
export function toExcerpt(text: string, terms: readonly string[]): Excerpt {
  const folded = foldText(text);
  const places = terms.map((term) => folded.text.indexOf(foldText(term).text)).filter((index) => index >= 0);
  const first = places.length === 0 ? 0 : (folded.places[Math.min(...places)] ?? 0);
  let start = Math.max(0, first - lead);
  let end = Math.min(text.length, start + length);
  if (splitsPair(text, start)) start -= 1;
  if (splitsPair(text, end)) end -= 1;
  const part = text.slice(start, end).replace(/\s+/g, " ").trim();
  const shown = `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
  return { text: shown, ranges: findRanges(shown, terms) };
}

function findRanges(text: string, terms: readonly string[]): [number, number][] {
  const folded = foldText(text);
  const found: [number, number][] = [];
  for (const term of terms.map((one) => foldText(one).text).filter((one) => one !== "")) {
    for (let at = folded.text.indexOf(term); at !== -1; at = folded.text.indexOf(term, at + term.length)) {
      const [from, to] = [folded.places[at] ?? 0, folded.places[at + term.length] ?? text.length];
      if (to > from) found.push([from, to]);
    }
  }
  const ranges: [number, number][] = [];
  for (const [from, to] of found.sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return ranges;
}
