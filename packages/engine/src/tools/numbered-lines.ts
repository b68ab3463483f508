/** A file in the format of `cat -n`: numbered lines, an arrow or a tab after the number, optionally a reminder to the model below. */
export function readNumberedLines(output: string): { content: string; startLine: number } | undefined {
  const [body = "", reminder] = output.split("\n\n<system-reminder>", 2);
  const lines = (reminder === undefined ? output : body).split("\n");
  const texts: string[] = [];
  let startLine = 0;
  for (const line of lines) {
    const [, number, text] = /^ *(\d{1,10})[→\t](.*)$/s.exec(line) ?? [];
    if (number === undefined || text === undefined) return undefined;
    if (texts.length === 0) startLine = Number(number);
    if (Number(number) !== startLine + texts.length || startLine < 1) return undefined;
    texts.push(text);
  }
  return { content: texts.join("\n"), startLine };
}
