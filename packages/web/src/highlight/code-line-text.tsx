import { type CodeLine, tokenKinds } from "./code-token.ts";

/** One line with its colours, or as it is. */
export function CodeLineText({ line, text }: { line: CodeLine | undefined; text: string }) {
  if (!line) return text;
  return line.map(([piece, kind], index) =>
    kind === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no identity of their own
      <span className={`tok-${tokenKinds[kind]}`} key={index}>
        {piece}
      </span>
    ),
  );
}
