import { type CodeLine, tokenKinds } from "./code-token.ts";
import { markLine } from "./mark-line.ts";

export interface CodeLineTextProps {
  /** Undefined until its colours are known. */
  line: CodeLine | undefined;
  text: string;
  /** A part to emphasize. */
  mark?: { from: number; to: number } | undefined;
}

/** One line with its colours, or as it is. */
export function CodeLineText({ line, text, mark }: CodeLineTextProps) {
  if (!line && !mark) return text;
  return markLine(line ?? [[text, 0]], mark).map(({ text: piece, kind, isMarked }, index) =>
    kind === 0 && !isMarked ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no identity of their own
      <span className={`${kind === 0 ? "" : `tok-${tokenKinds[kind]}`} ${isMarked ? "diff-mark" : ""}`} key={index}>
        {piece}
      </span>
    ),
  );
}
