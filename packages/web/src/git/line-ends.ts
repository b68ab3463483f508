/** A text field knows only `\n`. */
export type LineEnd = "\n" | "\r\n";

/** The line end of a text; null where a text field would not give it back as it was: more than one kind, or a lone `\r`. */
export function findLineEnd(text: string): LineEnd | null {
  const ends = new Set(text.match(/\r\n|\r|\n/g));
  if (ends.size === 0) return "\n";
  const [end] = ends;
  return ends.size > 1 || end === "\r" ? null : (end as LineEnd);
}

/** What is written back from a text field. */
export const withLineEnd = (text: string, end: LineEnd): string => text.replace(/\r\n|\n/g, end);
