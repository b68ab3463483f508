import type { Approval, JsonValue } from "@skein/contracts";
import { useMemo, useState } from "react";
import type { ApprovalChange } from "./approval-change.ts";
import { countHiddenIn, cutRows, toShownText } from "./approval-parts.ts";
import type { ApprovalView } from "./approval-view.ts";
import { type RevealSize, revealSizes } from "./reveal-size.ts";

export interface Reveal {
  hidden: { count: number; codePoints: string[] };
  size: RevealSize;
  /** Whether a part of the input is not on the screen. */
  isCut: boolean;
  showMore(): void;
}

/** How much of the input is shown, and its invisible characters. Each step shows more, until all is shown. */
export function useReveal(
  { input, toolName }: Approval,
  { view, change, fields }: { view: ApprovalView; change: ApprovalChange | null; fields: ApprovalView["fields"] },
): Reveal {
  const [step, setStep] = useState(0);
  const size = revealSizes[Math.min(step, revealSizes.length - 1)] ?? revealSizes[0];
  const hidden = useMemo(() => countHiddenIn([toolName, ...collectTexts(input)]), [input, toolName]);
  const isCut = useMemo(() => {
    const texts = [view.command ?? "", ...fields.flatMap(({ name, value }) => [name, value])];
    const files = change?.files ?? [];
    const edits = files.flatMap((file) => file.edits);
    const rows = [fields, files, ...files.map((file) => file.edits), ...edits];
    const lines = edits.flat().map(({ text }) => text);
    return (
      rows.some((list) => cutRows<unknown>(list, size).hidden > 0) ||
      [...texts, ...lines].some((text) => text.length > 0 && isLong(text, size) && toShownText(text, size).hiddenCharacters > 0)
    );
  }, [view, fields, change, size]);
  return { hidden, size, isCut, showMore: () => setStep((known) => known + 1) };
}

/** Quick, for the many short lines of a change. */
function isLong(text: string, { head }: RevealSize): boolean {
  return text.length > head.characters / 10 || text.includes("\n");
}

/** Every string in the input, names included. */
function collectTexts(input: JsonValue): string[] {
  const texts: string[] = [];
  const open: JsonValue[] = [input];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === "string") texts.push(value);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        texts.push(name);
        open.push(item);
      }
    }
  }
  return texts;
}
