/** Longer ones are no names but keys, hashes and packed data. */
const names = /(?<![A-Za-z0-9])[A-Za-z0-9]{4,64}(?![A-Za-z0-9])/g;
const humps = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;
const maxParts = 8;

/**
 * Ends of the names in a text that begin with a word of them: `getUserById` is also found by `UserById` and `Id`. The index knows
 * beginnings of words, so that with its ends every part of a name is found. Words joined by `_`, `-` or `.` are words by themselves.
 */
export function listIdentifierParts(text: string): string[] {
  const parts = new Set<string>();
  for (const [name] of text.matchAll(names)) {
    let left = maxParts;
    for (const { index } of name.matchAll(humps)) {
      if (left-- === 0) break;
      parts.add(name.slice(index));
    }
  }
  return [...parts];
}
