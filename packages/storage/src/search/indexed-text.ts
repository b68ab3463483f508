import { listIdentifierParts } from "./identifier-parts.ts";

export const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Cheap pre-check: none of these scripts is below, so most texts need only this test. */
const beyondAlphabets = /[\u0e00-\uffff]/;

/** The tokenizer splits at spaces and punctuation: a Chinese sentence would be a single word. */
export function separateCharacters(text: string): string {
  if (!beyondAlphabets.test(text)) return text;
  return text.replace(scriptsWithoutSpaces, " $& ");
}

/** The text for the full-text index: characters of scripts without spaces are separated, and parts of identifiers appended. */
export function toIndexedText(text: string): string {
  const parts = listIdentifierParts(text);
  // on a separate line, so that no phrase spans text and parts
  return parts.length === 0 ? separateCharacters(text) : `${separateCharacters(text)}\n${parts.join("\n")}`;
}
