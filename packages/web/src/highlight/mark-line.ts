import type { CodeLine } from "./code-token.ts";

export interface MarkedPiece {
  text: string;
  kind: number;
  isMarked: boolean;
}

/** A line in pieces of one colour each, cut where a mark begins and ends. */
export function markLine(line: CodeLine, mark: { from: number; to: number } | undefined): MarkedPiece[] {
  if (!mark || mark.from >= mark.to) return line.map(([text, kind]) => ({ text, kind, isMarked: false }));
  const pieces: MarkedPiece[] = [];
  let at = 0;
  for (const [text, kind] of line) {
    const cuts = [mark.from - at, mark.to - at].filter((cut) => cut > 0 && cut < text.length);
    let start = 0;
    for (const end of [...cuts, text.length]) {
      pieces.push({ text: text.slice(start, end), kind, isMarked: at + start >= mark.from && at + end <= mark.to });
      start = end;
    }
    at += text.length;
  }
  return pieces;
}
