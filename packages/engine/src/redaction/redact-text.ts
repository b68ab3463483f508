import type { SecretMatch } from "./find-secrets.ts";

/** Sorted and without overlaps: of two that overlap, the first counts, up to the end of both. */
export function mergeMatches<Match extends SecretMatch>(matches: readonly Match[]): Match[] {
  const sorted = matches.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const merged: Match[] = [];
  for (const match of sorted) {
    const last = merged.at(-1);
    if (last === undefined || match.start >= last.end) merged.push(match);
    else if (match.end > last.end) merged[merged.length - 1] = { ...last, end: match.end };
  }
  return merged;
}

/** A text with its matches replaced. `matches` are those of `mergeMatches`. */
export function replaceMatches<Match extends SecretMatch>(
  text: string,
  matches: readonly Match[],
  replacementOf: (match: Match) => string,
): string {
  if (matches.length === 0) return text;
  let result = "";
  let at = 0;
  for (const match of matches) {
    result += text.slice(at, match.start) + replacementOf(match);
    at = match.end;
  }
  return result + text.slice(at);
}

/**
 * Lines with the matches of `lines.join("\n")` replaced. Their number stays the same: a match over several lines is replaced in each of
 * them. The sign at the start of a line of a diff stays.
 */
export function replaceInLines<Match extends SecretMatch>(
  lines: readonly string[],
  matches: readonly Match[],
  replacementOf: (match: Match) => string,
): string[] {
  if (matches.length === 0) return [...lines];
  let offset = 0;
  return lines.map((line) => {
    const start = offset;
    const end = start + line.length;
    offset = end + 1;
    const inside = matches
      .filter((match) => match.start < end && match.end > start)
      .map((match) => {
        const isContinued = match.start < start;
        const hasSign = isContinued && /^[ +-]/.test(line);
        return { ...match, start: isContinued ? (hasSign ? 1 : 0) : match.start - start, end: Math.min(line.length, match.end - start) };
      })
      .filter((match) => match.end > match.start);
    return replaceMatches(line, inside, replacementOf);
  });
}
