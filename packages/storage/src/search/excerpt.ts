const lead = 60;
const length = 200;

/** A cut inside a surrogate pair would show a broken character. */
function isInsidePair(text: string, index: number): boolean {
  return index > 0 && /[\uDC00-\uDFFF]/.test(text.charAt(index)) && /[\uD800-\uDBFF]/.test(text.charAt(index - 1));
}

/** The part of a text around the first term that occurs in it, on one line. */
export function toExcerpt(text: string, terms: readonly string[]): string {
  const lowered = text.toLowerCase();
  const places = terms.map((term) => lowered.indexOf(term.toLowerCase())).filter((index) => index >= 0);
  // Lower case may be longer than the text itself (İ): a place beyond the end shows the end.
  let start = Math.max(0, Math.min(places.length === 0 ? 0 : Math.min(...places), text.length) - lead);
  let end = Math.min(text.length, start + length);
  if (isInsidePair(text, start)) start -= 1;
  if (isInsidePair(text, end)) end -= 1;
  const part = text.slice(start, end).replace(/\s+/g, " ").trim();
  return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
}
