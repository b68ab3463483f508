/*
 * Splits markdown at blank lines where a new block certainly starts, so that while text streams in only the last block is
 * parsed again. Joining the blocks gives the text back. Inside a fence, before an indented line and before a list item
 * nothing is cut: they may belong to what came before.
 */
const fence = /^ {0,3}(?:[-*+>] |\d+[.)] )*\s*(`{3,}|~{3,})/;
/** A label has at most 999 characters; without that bound a text of open brackets takes time that grows with its square. */
const definition = /^ {0,3}\[[^\]\n]{1,999}\]:/m;
const continues = /^(?:\s|[-*+] |\d+[.)] |>|\|)/;

export function splitMarkdownBlocks(text: string): string[] {
  // A definition or a footnote may be used in any other block.
  if (definition.test(text)) return text === "" ? [] : [text];
  const blocks: string[] = [];
  let start = 0;
  let position = 0;
  let open: string | null = null;
  let afterBlank = false;
  for (const line of text.split(/(?<=\n)/)) {
    const blank = line.trim() === "";
    if (afterBlank && !blank && open === null && !continues.test(line)) {
      blocks.push(text.slice(start, position));
      start = position;
    }
    const marker = fence.exec(line)?.[1];
    if (marker && open === null) open = marker;
    else if (open !== null && closes(line, open)) open = null;
    afterBlank = blank;
    position += line.length;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
}

function closes(line: string, open: string): boolean {
  const trimmed = line.trim();
  return trimmed.length >= open.length && trimmed === (open[0] ?? "").repeat(trimmed.length);
}
