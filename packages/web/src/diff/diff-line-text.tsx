import { CodeLineText, type CodeLineTextProps } from "../highlight/code-line-text.tsx";
import { capMarks } from "../text/cap-marks.ts";
import { LongText } from "../ui/long-text.tsx";

/** Of one line. Longer ones have no colours. */
const linePart = { characters: 2000, lines: 1 };

/** A line of a diff. The rest of a very long one is shown on request: one line of a megabyte would stop the page. */
export function DiffLineText({ id, line, mark, text }: CodeLineTextProps & { id: string }) {
  if (text.length > linePart.characters || capMarks(text) !== text) return <LongText id={id} part={linePart} text={text} />;
  return <CodeLineText line={line} mark={mark} text={text} />;
}
