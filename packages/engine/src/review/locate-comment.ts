import type { ReviewComment, StoredComment } from "@skein/contracts";

/** A file on one side of a diff. */
export interface ReviewedFile {
  /** Null where it is not a text. */
  text: string | null;
  /** `text` is only its beginning. */
  isCut: boolean;
}

/**
 * Finds the current position of a comment's lines: the match of the quoted lines that is nearest to their original position. A comment
 * whose lines were changed or removed is outdated, and so is one whose file is gone. `file` is the file on the comment's side of the
 * diff; null if there is none.
 */
export function locateComment(comment: StoredComment, file: ReviewedFile | null): ReviewComment {
  if (comment.path === null) return { ...comment, isOutdated: false };
  if (file === null) return { ...comment, isOutdated: true };
  if (comment.startLine === null || comment.endLine === null) return { ...comment, isOutdated: false };
  const quote = splitLines(comment.quote);
  const start = file.text === null ? undefined : findNearest(splitLines(file.text), quote, comment.startLine - 1);
  if (start === undefined) return { ...comment, isOutdated: !file.isCut };
  return { ...comment, startLine: start + 1, endLine: start + quote.length, isOutdated: false };
}

/** The lines from `startLine` to `endLine`, from 1, as a comment quotes them; undefined if the text has fewer. */
export function quoteLines(text: string, startLine: number, endLine: number): string | undefined {
  const lines = splitLines(text);
  return endLine > lines.length ? undefined : lines.slice(startLine - 1, endLine).join("\n");
}

/** A final line end does not begin another line. */
function splitLines(text: string): string[] {
  const lines = text.replace(/\r\n/g, "\n").split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function findNearest(lines: readonly string[], quote: readonly string[], wanted: number): number | undefined {
  const last = lines.length - quote.length;
  const isAt = (at: number): boolean => at >= 0 && at <= last && quote.every((line, offset) => lines[at + offset] === line);
  for (let distance = 0; distance <= Math.max(wanted, lines.length); distance++) {
    if (isAt(wanted - distance)) return wanted - distance;
    if (isAt(wanted + distance)) return wanted + distance;
  }
  return undefined;
}
