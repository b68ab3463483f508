/** A code block with a fence that its content cannot close. */
export function fence(content: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = "`".repeat(longest + 1);
  return `${marks}text\n${content}\n${marks}`;
}
