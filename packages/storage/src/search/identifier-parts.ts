/** Longer ones are not names but keys, hashes and encoded data. */
const longestName = 64;
const shortestName = 4;
const maxParts = 8;

const other = 0;
/** Lower-case letters. */
const lower = 1;
/** `sha256Sum` contains the word `Sum`. */
const digit = 2;
const upper = 3;
/** Kind of each ASCII character; other characters are not part of names. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower;
  if (code >= 48 && code <= 57) return digit;
  return code >= 65 && code <= 90 ? upper : other;
});

/**
 * Suffixes of the names in a text that start with one of their words: `getUserById` is also found by `UserById` and `Id`. The index
 * matches prefixes, so with the suffixes every part of a name is found. Words joined by `_`, `-` or `.` are separate words anyway.
 *
 * Scans every stored text character by character: regular expressions take several times as long.
 */
export function listIdentifierParts(text: string): string[] {
  const parts = new Set<string>();
  let before = other;
  let start = 0;
  let firstHump = -1;
  for (let index = 0; index <= text.length; index++) {
    const kind = index < text.length ? (kinds[text.charCodeAt(index)] ?? other) : other;
    if (before === other) {
      start = index;
    } else if (kind === other) {
      const isName = index - start >= shortestName && index - start <= longestName;
      if (firstHump !== -1 && isName) addParts(parts, text.slice(start, index), firstHump - start);
      firstHump = -1;
    } else if (kind === upper && firstHump === -1 && isHump(before, text, index)) {
      firstHump = index;
    }
    before = kind;
  }
  return [...parts];
}

function addParts(parts: Set<string>, name: string, firstHump: number): void {
  let left = maxParts;
  for (let index = firstHump; index < name.length && left > 0; index++) {
    if (kinds[name.charCodeAt(index)] !== upper || !isHump(kinds[name.charCodeAt(index - 1)] ?? other, name, index)) continue;
    parts.add(name.slice(index));
    left--;
  }
}

/** Whether the capital at `index` starts a word: the U of `getUser`, the S of `HTTPServer`. */
function isHump(before: number, text: string, index: number): boolean {
  return before !== upper || (index + 1 < text.length && kinds[text.charCodeAt(index + 1)] === lower);
}
