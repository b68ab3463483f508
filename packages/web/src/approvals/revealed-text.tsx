import { type RevealedPart, revealText } from "@skein/engine";
import { useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";

/** Text without hidden characters: invisible ones are shown by code point, excessive white space by its length. */
export function RevealedText({ text }: { text: string }) {
  const parts = useMemo(() => revealText(text), [text]);
  return <RevealedParts parts={parts} />;
}

const markClass = "mx-px whitespace-nowrap rounded px-1 font-sans text-[0.7em]";

export function RevealedParts({ parts }: { parts: readonly RevealedPart[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity of their own
  return parts.map((part, index) => <Part key={index} part={part} />);
}

function Part({ part }: { part: RevealedPart }) {
  const { approval: text } = useTaskText();
  const format = useFormats();
  switch (part.kind) {
    case "text":
      // Isolated and left to right: letters of other scripts must not reorder the command around them.
      return <bdo dir="ltr">{part.source}</bdo>;
    case "hidden":
      return (
        <mark className={`${markClass} bg-bad text-canvas`}>
          {part.codePoint}
          {part.count > 1 && ` × ${format.number(part.count)}`}
        </mark>
      );
    case "blank-lines":
      return <mark className={`${markClass} my-1 block w-fit bg-warn-wash text-warn`}>⏎ × {text.blankLines(part.count)}</mark>;
    case "spaces":
      return <mark className={`${markClass} bg-warn-wash text-warn`}>␣ × {format.number(part.count)}</mark>;
  }
}
