import { listIdentifierParts } from "./identifier-parts.ts";

export const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** None of these scripts is below: most texts need only this look, which is far cheaper. */
const beyondAlphabets = /[\u0e00-\uffff]/;

/** The tokenizer splits at spaces and punctuation: a whole Chinese sentence would be one word that nobody finds. */
export function separateCharacters(text: string): string {
  if (!beyondAlphabets.test(text)) return text;
  return text.replace(scriptsWithoutSpaces, " $& ");
}

/** A text as the full-text index gets it: characters of scripts without spaces apart, then the parts of identifiers. */
export function toIndexedText(text: string): string {
  const parts = listIdentifierParts(text);
  // a line of their own, so that no phrase goes from the text into them
  return parts.length === 0 ? separateCharacters(text) : `${separateCharacters(text)}\n${parts.join("\n")}`;
}
