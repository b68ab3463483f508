/** Columns as wide as their widest cell, two spaces between; the last one is not padded. */
export function formatTable(header: string[], rows: string[][]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ""))));
  return all
    .map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column] ?? 0))).join("  "))
    .join("\n");
}

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - displayWidth(text)));

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const wide =
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Emoji_Presentation}|[\u3000-\u303F\uFF00-\uFF60]/u;

/** Columns on a terminal: a Chinese character and an emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}
