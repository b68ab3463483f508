import type { RevealLimits } from "@skein/engine";

/** How much of an approval is shown: beginning and end of each text, and how many lines and fields. */
export interface RevealSize {
  head: RevealLimits;
  tail: RevealLimits;
  /** Lines of a change, and fields. */
  rows: { head: number; tail: number };
}

/**
 * At first as much as fits on a screen together with the buttons; then more. Even the last step has a limit: a browser that draws
 * megabytes of marked characters stops to answer.
 */
export const revealSizes: readonly [RevealSize, ...RevealSize[]] = [
  { head: { characters: 500, lines: 12 }, tail: { characters: 250, lines: 6 }, rows: { head: 14, tail: 6 } },
  { head: { characters: 20_000, lines: 500 }, tail: { characters: 2000, lines: 40 }, rows: { head: 600, tail: 40 } },
  { head: { characters: 200_000, lines: 5000 }, tail: { characters: 20_000, lines: 400 }, rows: { head: 8000, tail: 400 } },
];
