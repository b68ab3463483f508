/** The end of a path that stays in view. A longer name is cut too, before its last characters. */
const longestTail = 24;

/**
 * A path, or a text that ends with one, in two parts: what may be cut where there is no room, and the end that names the file it
 * is. Together they are the whole text.
 */
export function splitPath(text: string): [head: string, tail: string] {
  const slash = text.lastIndexOf("/", text.length - 2);
  const from = slash === -1 ? text.length : slash;
  const start = text.length - from > longestTail || slash === -1 ? text.length - longestTail : from;
  if (start <= 0 || (slash === -1 && text.length <= longestTail * 2)) return ["", text];
  // not between the halves of a character
  const isInside = (text.charCodeAt(start) & 0xfc00) === 0xdc00;
  return [text.slice(0, start + Number(isInside)), text.slice(start + Number(isInside))];
}
