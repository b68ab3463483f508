import type { RevealedPart } from "./reveal-text.ts";
import { takeEnd, takeStart } from "./truncate.ts";

/** Limits for a displayed text. */
export interface RevealLimits {
  characters: number;
  lines: number;
}

/** A displayed text: complete, or its beginning and end with `hiddenCharacters` in between. */
export interface CutRevealed {
  head: RevealedPart[];
  tail: RevealedPart[];
  hiddenCharacters: number;
}

/** A code point's name takes more room than the character. */
const nameLength = 8;

/** Cuts the middle, never the end: what a command does last is often what matters. */
export function cutRevealed(parts: readonly RevealedPart[], limits: { head: RevealLimits; tail: RevealLimits }): CutRevealed {
  const head: RevealedPart[] = [];
  const tail: RevealedPart[] = [];
  const rest = take([...parts], head, limits.head, takeFromStart);
  const between = take(rest.toReversed(), tail, limits.tail, takeFromEnd);
  tail.reverse();
  const hiddenCharacters = between.reduce((sum, { source }) => sum + source.length, 0);
  return { head, tail, hiddenCharacters };
}

type TakeText = (text: string, limits: RevealLimits) => string;

/** Moves parts from `from` to `to` until the limits are reached, and returns what is left. */
function take(from: readonly RevealedPart[], to: RevealedPart[], limits: RevealLimits, takeText: TakeText): RevealedPart[] {
  let { characters, lines } = limits;
  for (const [index, part] of from.entries()) {
    if (part.kind === "text") {
      const taken = takeText(part.source, { characters, lines });
      if (taken !== "") to.push({ kind: "text", source: taken });
      if (taken.length < part.source.length) {
        const left = takeText === takeFromStart ? part.source.slice(taken.length) : part.source.slice(0, part.source.length - taken.length);
        return [{ kind: "text", source: left }, ...from.slice(index + 1)];
      }
      characters -= taken.length;
      lines -= countLines(taken);
    } else {
      characters -= nameLength;
      if (part.kind === "blank-lines") lines--;
      if (characters < 0 || lines < 0) return from.slice(index);
      to.push(part);
    }
  }
  return [];
}

const takeFromStart: TakeText = (text, { characters, lines }) => {
  const start = takeStart(text, characters);
  let end = 0;
  for (let line = 0; line <= lines; line++) {
    if (line === lines) return start.slice(0, end);
    const next = start.indexOf("\n", end);
    if (next === -1) return start;
    end = next + 1;
  }
  return start;
};

const takeFromEnd: TakeText = (text, { characters, lines }) => {
  const end = takeEnd(text, characters);
  let start = end.length;
  for (let line = 0; line <= lines; line++) {
    const next = start === 0 ? -1 : end.lastIndexOf("\n", start - 1);
    if (next === -1) return end;
    if (line === lines) return end.slice(next + 1);
    start = next;
  }
  return end;
};

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
