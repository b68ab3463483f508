import { takeStart } from "@skein/engine";

export interface ClampedText {
  head: string;
  /** Empty when nothing is hidden. */
  tail: string;
  hiddenLines: number;
}

/** Lines beyond this are cut too: one line of megabytes is as slow to lay out as many. */
const maxLineLength = 4000;

/** The beginning and the end of a long text. The last lines of a command's output are usually what the user looks for. */
export function clampText(text: string, { headLines, tailLines }: { headLines: number; tailLines: number }): ClampedText {
  const lines = text.split("\n");
  const slack = 5;
  if (lines.length <= headLines + tailLines + slack) {
    const short = lines.map(cutLine).join("\n");
    return { head: short, tail: "", hiddenLines: short.length < text.length ? 1 : 0 };
  }
  return {
    head: lines.slice(0, headLines).map(cutLine).join("\n"),
    tail: lines.slice(-tailLines).map(cutLine).join("\n"),
    hiddenLines: lines.length - headLines - tailLines,
  };
}

function cutLine(line: string): string {
  return line.length <= maxLineLength ? line : `${takeStart(line, maxLineLength)}…`;
}
