const whiteSpace = /^[ \t\n]*$/;
/** Each line begins with a letter, and nothing in it is a character with a meaning. */
const plain = /^\p{L}[^*_~[\]`<>|&\\\p{Cc}]*(?:\n\p{L}[^*_~[\]`<>|&\\\p{Cc}]*)*$/u;
/** What the dialect makes a link of without brackets. */
const link = /:\/\/|www\.|@\S*\./i;

/**
 * The text of a block that is one paragraph without any Markdown, as most short answers are: it needs no parser, which is the largest part
 * of drawing it. Null for every other block, and where that is not certain.
 */
export function toPlainParagraph(block: string): string | null {
  const text = block.trimEnd();
  if (!whiteSpace.test(block.slice(text.length)) || !plain.test(text) || text.includes(" \n") || link.test(text)) return null;
  return text;
}
