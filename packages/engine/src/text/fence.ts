/** A fenced block of Markdown. The fence is longer than any inside: what is quoted cannot end the quote. */
export function fence(text: string, language = ""): string {
  let longest = 2;
  for (const [marks] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, marks.length);
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${text.replace(/\n$/, "")}\n${marks}`;
}
