import { type CutRevealed, countHidden, cutRevealed, revealText, takeEnd, takeStart } from "@skein/engine";
import type { RevealSize } from "./reveal-size.ts";

/** Longer than any command line can be. The middle of a longer text is not examined. */
const maxLength = 300_000;

/** A text of an approval as it is shown: nothing in it can hide a part of it (X6). */
export function toShownText(text: string, size: RevealSize): CutRevealed {
  if (text.length <= maxLength) return cutRevealed(revealText(text), size);
  const head = takeStart(text, maxLength / 2);
  const tail = takeEnd(text, maxLength / 2);
  const shown = { head: cutRevealed(revealText(head), size), tail: cutRevealed(revealText(tail), size) };
  const shownLength = [...shown.head.head, ...shown.tail.tail].reduce((sum, { source }) => sum + source.length, 0);
  return { head: shown.head.head, tail: shown.tail.tail, hiddenCharacters: text.length - shownLength };
}

/** The rows at the beginning and at the end, and how many lie between them. */
export function cutRows<Row>(
  rows: readonly Row[],
  { rows: { head, tail } }: RevealSize,
): { head: readonly Row[]; tail: readonly Row[]; hidden: number } {
  if (rows.length <= head + tail) return { head: rows, tail: [], hidden: 0 };
  return { head: rows.slice(0, head), tail: rows.slice(-tail), hidden: rows.length - head - tail };
}

/** Number and names of the invisible characters in all of these texts. */
export function countHiddenIn(texts: readonly string[]): { count: number; codePoints: string[] } {
  const counts = texts.map((text) => countHidden(revealText(takeStart(text, maxLength))));
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    codePoints: [...new Set(counts.flatMap(({ codePoints }) => codePoints))],
  };
}
