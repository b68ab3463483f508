import { useTaskText } from "../i18n/task-text.ts";
import type { ApprovalChange, ChangeLine, FileChange } from "./approval-change.ts";
import { cutRows } from "./approval-parts.ts";
import type { RevealSize } from "./reveal-size.ts";
import { RevealedText } from "./revealed-text.tsx";
import { ShowAllMark, ShownText } from "./shown-text.tsx";

const looks: Record<ChangeLine["kind"], { row: string; sign: string }> = {
  added: { row: "bg-good-wash", sign: "+" },
  removed: { row: "bg-bad-wash", sign: "−" },
  same: { row: "", sign: " " },
  "no-newline": { row: "text-ink-faint italic", sign: "" },
};

interface PreviewSize {
  size: RevealSize;
  onShowAll(): void;
}

/** What would change, with what cannot be seen made visible. Unlike the diff of a finished change, this is what the user approves. */
export function ChangePreview({ change, ...shown }: PreviewSize & { change: ApprovalChange }) {
  const text = useTaskText();
  const files = cutRows(change.files, shown.size);
  return (
    <div className="space-y-2">
      <Files files={files.head} {...shown} />
      {files.hidden > 0 && <ShowAllMark onClick={shown.onShowAll}>{text.approval.cutFiles(files.hidden)}</ShowAllMark>}
      <Files files={files.tail} {...shown} />
    </div>
  );
}

function Files({ files, ...shown }: PreviewSize & { files: readonly FileChange[] }) {
  return files.map((file, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one file may be named twice
    <FilePreview file={file} key={index} {...shown} />
  ));
}

function FilePreview({ file, ...shown }: PreviewSize & { file: FileChange }) {
  const text = useTaskText();
  const edits = cutRows(file.edits, shown.size);
  const what = text.approval.change;
  return (
    <div className="overflow-hidden rounded-lg border border-line" data-change={file.kind}>
      <p className="flex flex-wrap gap-x-2 border-line border-b bg-sunken px-3 py-1.5 text-[0.8rem]">
        <span className="min-w-0 font-mono [overflow-wrap:anywhere]">
          <RevealedText text={file.path} />
        </span>
        {file.kind !== "changed" && <span className="text-ink-faint">{what[file.kind]}</span>}
        {file.movedTo !== null && (
          <span className="text-ink-faint [overflow-wrap:anywhere]">
            {what.movedTo} <RevealedText text={file.movedTo} />
          </span>
        )}
      </p>
      {file.isUnknown ? (
        <p className="px-3 py-2 text-sm text-warn">{what.unknown}</p>
      ) : (
        <div className="bg-code font-mono text-[0.8rem] leading-5" dir="ltr">
          <Edits edits={edits.head} {...shown} />
          {edits.hidden > 0 && <ShowAllMark onClick={shown.onShowAll}>{text.approval.cutRows(edits.hidden)}</ShowAllMark>}
          <Edits edits={edits.tail} {...shown} />
        </div>
      )}
    </div>
  );
}

function Edits({ edits, size, onShowAll }: PreviewSize & { edits: readonly ChangeLine[][] }) {
  const text = useTaskText();
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

function Lines({ lines, size, onShowAll }: PreviewSize & { lines: readonly ChangeLine[] }) {
  const text = useTaskText();
  return lines.map(({ kind, text: line }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity of their own
    <div className={`flex ${looks[kind].row}`} key={index}>
      <span aria-hidden="true" className="w-6 shrink-0 select-none text-center text-ink-faint">
        {looks[kind].sign}
      </span>
      {(kind === "added" || kind === "removed") && (
        <span className="sr-only">{kind === "added" ? text.shell.inbox.newText : text.shell.inbox.oldText}: </span>
      )}
      <span className="min-w-0 flex-1 whitespace-pre-wrap pe-2 [overflow-wrap:anywhere]">
        {kind === "no-newline" ? text.approval.noFinalNewline : <ShownText onShowAll={onShowAll} size={size} text={line} />}
      </span>
    </div>
  ));
}
