import { useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { toShownText } from "./approval-parts.ts";
import type { RevealSize } from "./reveal-size.ts";
import { RevealedParts } from "./revealed-text.tsx";

export interface ShownTextProps {
  text: string;
  size: RevealSize;
  onShowAll(): void;
}

/** A text that the user bases a decision on: beginning and end of a long one, with the number of omitted characters in between. */
export function ShownText({ text, size, onShowAll }: ShownTextProps) {
  const { approval } = useTaskText();
  const format = useFormats();
  const { head, tail, hiddenCharacters } = useMemo(() => toShownText(text, size), [text, size]);
  return (
    <>
      <RevealedParts parts={head} />
      {hiddenCharacters > 0 && <ShowAllMark onClick={onShowAll}>{approval.cutCharacters(format.number(hiddenCharacters))}</ShowAllMark>}
      <RevealedParts parts={tail} />
    </>
  );
}

/** Marks an omission. */
export function ShowAllMark({ children, onClick }: { children: string; onClick(): void }) {
  return (
    <button
      aria-expanded={false}
      className="my-1 block w-full rounded border border-warn/50 border-dashed bg-warn-wash px-2 py-1 text-start font-sans text-warn text-xs hover:underline"
      onClick={onClick}
      type="button"
    >
      {children}
    </button>
  );
}
