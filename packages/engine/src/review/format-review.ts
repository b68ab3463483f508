import type { ReviewComment } from "@skein/contracts";

/** Longer quotes are truncated: the agent has the file. */
const maxQuoteLines = 12;

/**
 * Formats all comments of a review as one message for an agent: the user's text first, then comments on the whole attempt, then those on
 * files, by path and line, each with the lines that it is about.
 */
export function formatReview(comments: readonly ReviewComment[], introduction = ""): string {
  const head = introduction.trim() === "" ? "Please address these review comments." : introduction.trim();
  const sorted = comments.toSorted(
    (a, b) =>
      compare(a.path ?? "", b.path ?? "") || (a.startLine ?? 0) - (b.startLine ?? 0) || a.createdAt - b.createdAt || compare(a.id, b.id),
  );
  return [head, ...sorted.map(formatComment)].join("\n\n");
}

function formatComment(comment: ReviewComment): string {
  const { path, body } = comment;
  if (path === null) return body;
  const place = `\`${path}\`${formatLines(comment)}`;
  const quote = comment.quote === "" ? [] : [formatQuote(comment.quote)];
  return [place, ...quote, body].join("\n");
}

function formatLines({ startLine, endLine, side, isOutdated }: ReviewComment): string {
  const notes = [...(side === "old" ? ["before the change"] : []), ...(isOutdated ? ["changed since"] : [])];
  const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  if (startLine === null || endLine === null) return note;
  return `, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`}${note}`;
}

/** A fence that no line of the quote closes. */
function formatQuote(quote: string): string {
  const lines = quote.split("\n");
  const shown = lines.length > maxQuoteLines ? [...lines.slice(0, maxQuoteLines), "…"] : lines;
  const longest = Math.max(2, ...shown.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  const fence = "`".repeat(longest + 1);
  return [fence, ...shown, fence].join("\n");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
