import { revealInvisible } from "./reveal-invisible.ts";

/**
 * A part of a text that the user bases a decision on. `source` is the text that it stands for: joined, they are the whole text. `hidden`
 * is the code point of invisible characters, `count` the length of a run of them; `blank-lines` and `spaces` stand for white space that
 * would push what follows out of sight.
 */
export type RevealedPart =
  | { kind: "text"; source: string }
  | { kind: "hidden"; source: string; codePoint: string; count: number }
  | { kind: "blank-lines"; source: string; count: number }
  | { kind: "spaces"; source: string; count: number };

/** Two blank lines between paragraphs are common, and so is an indentation of this width. */
const whiteSpace = /\n(?:[ \t]*\n){3,}|[ \t]{40,}/g;

/** Reveals everything that could hide a part of the text: invisible characters, or two hundred newlines (X6). */
export function revealText(text: string): RevealedPart[] {
  const parts: RevealedPart[] = [];
  for (const run of revealInvisible(text)) {
    if (run.hidden === undefined) parts.push(...splitWhiteSpace(run.text));
    else addHidden(parts, run.hidden);
  }
  return parts;
}

/** The number of invisible characters, and which they are. */
export function countHidden(parts: readonly RevealedPart[]): { count: number; codePoints: string[] } {
  const hidden = parts.filter((part) => part.kind === "hidden");
  return { count: hidden.reduce((sum, part) => sum + part.count, 0), codePoints: [...new Set(hidden.map(({ codePoint }) => codePoint))] };
}

function addHidden(parts: RevealedPart[], codePoint: string): void {
  const source = String.fromCodePoint(Number.parseInt(codePoint.slice(2), 16));
  const last = parts.at(-1);
  if (last?.kind === "hidden" && last.codePoint === codePoint) {
    last.count++;
    last.source += source;
  } else parts.push({ kind: "hidden", source, codePoint, count: 1 });
}

function splitWhiteSpace(text: string): RevealedPart[] {
  const parts: RevealedPart[] = [];
  let position = 0;
  for (const { index, 0: source } of text.matchAll(whiteSpace)) {
    // The newline before the blank lines ends a visible line.
    const start = source.startsWith("\n") ? index + 1 : index;
    if (start > position) parts.push({ kind: "text", source: text.slice(position, start) });
    const rest = text.slice(start, index + source.length);
    if (source.startsWith("\n")) parts.push({ kind: "blank-lines", source: rest, count: rest.split("\n").length - 1 });
    else parts.push({ kind: "spaces", source: rest, count: rest.length });
    position = index + source.length;
  }
  if (position < text.length) parts.push({ kind: "text", source: text.slice(position) });
  return parts;
}
