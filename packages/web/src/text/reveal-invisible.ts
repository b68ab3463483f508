/** A run of text; `hidden` names a character that a person would not see, or that reorders what is seen. */
export type RevealedRun = { text: string; hidden?: undefined } | { hidden: string; text?: undefined };

/*
 * Bidi controls, zero-width and other default-ignorable characters, tags, variation selectors outside emoji, controls other
 * than tab and newline, and spaces that pass for a plain one.
 */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is revealed
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each is matched by itself
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** What an approval shows must be what will run: no character may hide or reorder others (X6). */
export function revealInvisible(text: string): RevealedRun[] {
  const runs: RevealedRun[] = [];
  let position = 0;
  for (const match of text.matchAll(invisible)) {
    if (match.index > position) runs.push({ text: text.slice(position, match.index) });
    runs.push({ hidden: `U+${(match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` });
    position = match.index + match[0].length;
  }
  if (position < text.length) runs.push({ text: text.slice(position) });
  return runs;
}

export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1;
}
