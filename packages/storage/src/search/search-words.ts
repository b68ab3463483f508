import { scriptsWithoutSpaces, separateCharacters, toIndexedText } from "./indexed-text.ts";

/*
 * Words for a database whose own full-text search does not split texts as SQLite's FTS5 does with `unicode61 remove_diacritics 2`:
 * letters and digits, in lower case, without accents.
 */

/** A query has at most this many characters per word: longer words are found by their beginning. */
const maxWordLength = 128;
/** Postgres limits the words of a row to 1 MiB. */
const maxIndexBytes = 900_000;

function fold(text: string): string {
  // only other alphabets have accents
  return (/^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFD").replace(/\p{M}+/gu, "")).toLowerCase();
}

function splitWords(separated: string): string[] {
  return (fold(separated).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []).map((word) => word.slice(0, maxWordLength));
}

/** The words of a query, in order. */
export function listQueryWords(text: string): string[] {
  return splitWords(separateCharacters(text));
}

/** The words of a stored text, in order, with the parts of its identifiers at the end. */
export function listTextWords(text: string): string[] {
  return splitWords(toIndexedText(text));
}

/** Whether a word is one character of a script without spaces. */
function isCharacter(word: string): boolean {
  return word.length <= 2 && word.search(scriptsWithoutSpaces) === 0;
}

/**
 * What is stored for a text: each word once. Characters of scripts without spaces are also stored in pairs: a single one occurs in
 * nearly every Chinese text.
 */
export function listIndexEntries(text: string): string[] {
  const entries = new Set<string>();
  let bytes = 0;
  let before = "";
  const add = (entry: string): void => {
    if (entries.has(entry)) return;
    bytes += Buffer.byteLength(entry) + 4;
    if (bytes <= maxIndexBytes) entries.add(entry);
  };
  for (const word of listTextWords(text)) {
    add(word);
    const isPairable = isCharacter(word);
    if (isPairable && before !== "") add(before + word);
    before = isPairable ? word : "";
  }
  return [...entries];
}

export interface QueryEntry {
  text: string;
  /** Whether entries that begin with it match, too. */
  isPrefix: boolean;
}

/** The entries that a text with these adjacent words has. */
export function toQueryEntries(words: readonly string[], { endsOpen }: { endsOpen: boolean }): QueryEntry[] {
  return words.flatMap((word, index): QueryEntry[] => {
    const isPrefix = endsOpen && index === words.length - 1;
    if (!isCharacter(word)) return [{ text: word, isPrefix }];
    const [previous = "", next = ""] = [words[index - 1], words[index + 1]];
    if (isCharacter(next)) return [{ text: word + next, isPrefix: false }];
    return isCharacter(previous) ? [] : [{ text: word, isPrefix }];
  });
}

/** Whether the words follow one another in a text. */
export function hasPhrase(textWords: readonly string[], words: readonly string[], { endsOpen }: { endsOpen: boolean }): boolean {
  const last = words.length - 1;
  const matches = (word: string | undefined, index: number): boolean =>
    endsOpen && index === last ? (word?.startsWith(words[index] ?? "") ?? false) : word === words[index];
  return textWords.some((_, start) => words.every((__, index) => matches(textWords[start + index], index)));
}
