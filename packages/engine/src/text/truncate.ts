/*
 * Truncation that never splits a surrogate pair: a lone surrogate is rejected by providers and becomes U+FFFD in UTF-8. Lengths are
 * UTF-16 units unless a name says code points.
 */

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Whether cutting a text at this offset would split a surrogate pair. */
export function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && isHighSurrogate(text.charCodeAt(offset - 1)) && isLowSurrogate(text.charCodeAt(offset));
}

/** The first `maxLength` units, one fewer if that would split a pair. */
export function takeStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength);
  return text.slice(0, splitsPair(text, end) ? end - 1 : end);
}

/** The last `maxLength` units, one fewer if that would split a pair. */
export function takeEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.length - Math.max(0, maxLength);
  return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** At most `maxCodePoints` code points; the last of them is `…` if something was left out. */
export function truncateCodePoints(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text;
  if (maxCodePoints <= 0) return "";
  let offset = 0;
  let lastKept = 0;
  for (let count = 0; count < maxCodePoints; count++) {
    lastKept = offset;
    const isPair = isHighSurrogate(text.charCodeAt(offset)) && isLowSurrogate(text.charCodeAt(offset + 1));
    offset += isPair ? 2 : 1;
  }
  return offset >= text.length ? text : `${text.slice(0, lastKept)}…`;
}

/** White space other than single spaces between words. */
const hasOtherSpace = /[^\S ]| {2}|^ | $/;

/** Collapses all white space to single spaces, so that a summary stays on one line. */
export function toOneLine(text: string): string {
  if (!hasOtherSpace.test(text)) return text;
  return text.replace(/\s+/g, " ").trim();
}

/**
 * The end of a text that is too long, below a line that says so. That line is not counted, and not repeated if the text is truncated
 * again.
 */
export function keepEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const rest = text.startsWith(cutMarker) ? text.slice(cutMarker.length) : text;
  return rest.length <= maxLength ? text : cutMarker + takeEnd(rest, maxLength);
}

/** The start of a text that is too long, above a line that says so. */
export function keepStart(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : takeStart(text, maxLength) + startMarker;
}

const cutMarker = "[… earlier output left out]\n";
const startMarker = "\n[… the rest is left out]";
