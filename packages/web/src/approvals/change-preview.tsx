import { useText } from "../i18n/locale.tsx";
import type { ApprovalChange, ChangeLine } from "./approval-change.ts";
import { cutRows } from "./approval-parts.ts";
import type { RevealSize } from "./reveal-size.ts";
import { RevealedText } from "./revealed-text.tsx";
import { ShowAllMark, ShownText } from "./shown-text.tsx";

const looks: Record<ChangeLine["kind"], { row: string; sign: string }> = {
  added: { row: "bg-good-wash", sign: "+" },
  removed: { row: "bg-bad-wash", sign: "−" },
  same: { row: "", sign: " " },
};

export interface ChangePreviewProps {
  change: ApprovalChange;
  size: RevealSize;
  onShowAll(): void;
}

/** What would change, with what cannot be seen made visible. Unlike the diff of a finished change, this is what the user approves. */
export function ChangePreview({ change, size, onShowAll }: ChangePreviewProps) {
  const text = useText();
  const edits = cutRows(change.edits, size);
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <p className="border-line border-b bg-sunken px-3 py-1.5 font-mono text-[0.8rem] [overflow-wrap:anywhere]">
        <RevealedText text={change.path} />
      </p>
      <div className="bg-code font-mono text-[0.8rem] leading-5" dir="ltr">
        <Edits edits={edits.head} onShowAll={onShowAll} size={size} />
        {edits.hidden > 0 && <ShowAllMark onClick={onShowAll}>{text.approval.cutRows(edits.hidden)}</ShowAllMark>}
        <Edits edits={edits.tail} onShowAll={onShowAll} size={size} />
      </div>
    </div>
  );
}

function Edits({ edits, size, onShowAll }: Omit<ChangePreviewProps, "change"> & { edits: readonly ChangeLine[][] }) {
  const text = useText();
  return edits.map((lines, edit) => {
    const { head, tail, hidden } = cutRows(lines, size);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: edits have no identity of their own
      <div className="border-line not-first:border-t" key={edit}>
        <Lines lines={head} onShowAll={onShowAll} size={size} />
        {hidden > 0 && <ShowAllMark onClick={onShowAll}>{text.approval.cutRows(hidden)}</ShowAllMark>}
        <Lines lines={tail} onShowAll={onShowAll} size={size} />
      </div>
    );
  });
}

function Lines({ lines, size, onShowAll }: Omit<ChangePreviewProps, "change"> & { lines: readonly ChangeLine[] }) {
  const text = useText();
  return lines.map(({ kind, text: line }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
    <div className={`flex ${looks[kind].row}`} key={index}>
      <span aria-hidden="true" className="w-6 shrink-0 select-none text-center text-ink-faint">
        {looks[kind].sign}
      </span>
      {kind !== "same" && <span className="sr-only">{kind === "added" ? text.shell.inbox.newText : text.shell.inbox.oldText}: </span>}
      <span className="min-w-0 flex-1 whitespace-pre-wrap pe-2 [overflow-wrap:anywhere]">
        <ShownText onShowAll={onShowAll} size={size} text={line} />
      </span>
    </div>
  ));
}
