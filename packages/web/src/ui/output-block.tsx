import { capMarks } from "../text/cap-marks.ts";
import { stripAnsi } from "../text/parse-ansi.ts";

/** What a program printed, without its escape sequences. Scrolls when it is long. */
export function OutputBlock({ label, text }: { label: string; text: string }) {
  return (
    <section
      aria-label={label}
      className="scroll-quiet max-h-48 overflow-auto whitespace-pre-wrap rounded-md bg-code px-2 py-1.5 text-start font-mono text-[0.8rem] text-ink [overflow-wrap:anywhere]"
      dir="ltr"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      {capMarks(stripAnsi(text.trimEnd()))}
    </section>
  );
}
