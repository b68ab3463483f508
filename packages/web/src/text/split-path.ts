/** The end of a name that stays in view however little room there is. */
const longestTail = 16;

/**
 * A path, or a text that ends with one, in three parts, in the order in which they give way where there is no room: its folders, the
 * start of the file's name, and the end of the name. Together they are the whole text.
 */
export function splitPath(text: string): [folders: string, start: string, end: string] {
  const name = text.lastIndexOf("/", text.length - 2);
  const cut = text.length - longestTail;
  if (name >= cut || cut <= 0) return name <= 0 ? ["", "", text] : [text.slice(0, name), "", text.slice(name)];
  // not between the halves of a character
  const end = cut + Number((text.charCodeAt(cut) & 0xfc00) === 0xdc00);
  return [text.slice(0, Math.max(name, 0)), text.slice(Math.max(name, 0), end), text.slice(end)];
}
