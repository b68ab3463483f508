const longest = 80;

/** A title for a task that has only a prompt: its first line, truncated at a word. */
export function toTaskTitle(prompt: string): string {
  const line = prompt.trim().split(/\r?\n/, 1)[0]?.trim() ?? "";
  // In code points, not UTF-16 units: half of an emoji is not a character.
  const points = [...line];
  if (points.length <= longest) return line;
  const cut = points.slice(0, longest - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > longest / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
