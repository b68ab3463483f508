import { type ReactNode, useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { capMarks } from "../text/cap-marks.ts";
import { type PartLimits, takePart } from "../text/take-part.ts";
import { useShownParts } from "./disclosure.tsx";

const plainPart: PartLimits = { characters: 20_000, lines: 400 };

export interface LongTextProps {
  /** Remembers how much is shown. */
  id: string;
  text: string;
  /** How much is drawn at first, and how much more with each click. */
  part?: PartLimits;
  /** Draws what is shown; plain text without it. */
  children?: (shown: string) => ReactNode;
}

/** A text of any length: the first part of it, and a button for the next. Whatever a message holds, drawing it stays quick (X19). */
export function LongText({ id, text: whole, part = plainPart, children }: LongTextProps) {
  const text = useTaskText();
  const format = useFormats();
  const [parts, showMore] = useShownParts(id);
  const shown = useMemo(() => takePart(whole, { characters: part.characters * parts, lines: part.lines * parts }), [whole, part, parts]);
  const hidden = whole.length - shown.length;
  return (
    <>
      {children ? children(shown) : capMarks(shown)}
      {hidden > 0 && (
        <button
          aria-expanded={false}
          className="block min-h-8 pointer-coarse:min-h-10 text-start font-sans text-accent text-xs hover:underline"
          onClick={showMore}
          type="button"
        >
          {text.conversation.showMore(format.number(hidden))}
        </button>
      )}
    </>
  );
}
