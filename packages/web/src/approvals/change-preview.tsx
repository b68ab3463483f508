import { useText } from "../i18n/locale.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import type { ApprovalChange, ChangeLine } from "./approval-change.ts";
import { RevealedText } from "./revealed-text.tsx";

const looks: Record<ChangeLine["kind"], { row: string; sign: string }> = {
  added: { row: "bg-good-wash", sign: "+" },
  removed: { row: "bg-bad-wash", sign: "−" },
  same: { row: "", sign: " " },
};

/** All that would change, with what cannot be seen made visible: unlike a diff of what was done, this is what one says yes to. */
export function ChangePreview({ change }: { change: ApprovalChange }) {
  const text = useText();
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <p className="border-line border-b bg-sunken px-3 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
        <RevealedText text={change.path} />
      </p>
      <ScrollBox className="max-h-80 bg-code font-mono text-[0.8rem] leading-5" dir="ltr">
        {change.edits.map((lines, edit) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: edits have no identity of their own
          <div className="border-line not-first:border-t" key={edit}>
            {lines.map(({ kind, text: line }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
              <div className={`flex ${looks[kind].row}`} key={index}>
                <span aria-hidden="true" className="w-6 shrink-0 select-none text-center text-ink-faint">
                  {looks[kind].sign}
                </span>
                {kind !== "same" && (
                  <span className="sr-only">{kind === "added" ? text.shell.inbox.newText : text.shell.inbox.oldText}: </span>
                )}
                <span className="min-w-0 whitespace-pre-wrap pe-2 [overflow-wrap:anywhere]">
                  <RevealedText text={line} />
                </span>
              </div>
            ))}
          </div>
        ))}
      </ScrollBox>
    </div>
  );
}
