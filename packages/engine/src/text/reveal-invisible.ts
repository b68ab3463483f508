/** A run of text; `hidden` is the code point (`U+202E`) of a character that is invisible or reorders the text. */
export type RevealedRun = { text: string; hidden?: undefined } | { hidden: string; text?: undefined };

/*
 * Controls other than tab and newline, format characters (bidi, zero-width, tags), lone surrogates, characters without a glyph, and every
 * space but the plain one. Also combining marks without a base, or after three others: they can cover adjacent lines.
 */
const invisible =
  /(?![\t\n ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]|(?<=^|\s|\p{M}{3})\p{M}/gu;

/** Splits a text so that every invisible character is named: what the user approves must be what will run (X6). */
export function revealInvisible(text: string): RevealedRun[] {
  const runs: RevealedRun[] = [];
  let position = 0;
  for (const match of text.matchAll(invisible)) {
    if (match.index > position) runs.push({ text: text.slice(position, match.index) });
    runs.push({ hidden: toCodePointName(match[0]) });
    position = match.index + match[0].length;
  }
  if (position < text.length) runs.push({ text: text.slice(position) });
  return runs;
}

function toCodePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
