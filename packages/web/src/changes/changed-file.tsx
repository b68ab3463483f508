import type { AttemptDiff, AttemptId } from "@skein/contracts";
import { isImagePath } from "@skein/engine";
import { memo, useMemo, useRef } from "react";
import { ChangeCount } from "../diff/change-count.tsx";
import { type DiffLayout, DiffView } from "../diff/diff-view.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { FileComments } from "../review/file-comments.tsx";
import { FileReviewActions } from "../review/file-review-actions.tsx";
import { ReviewedDiff } from "../review/reviewed-diff.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { useNearView } from "../ui/use-near-view.ts";
import { ImageChange } from "./image-change.tsx";

type ChangedFile = AttemptDiff["files"][number];

export interface ChangedFileProps {
  attemptId: AttemptId;
  file: ChangedFile;
  layout: DiffLayout;
  openAtFirst: boolean;
  /** Undefined where the diff is not the attempt's: comments are on the lines of the whole diff. */
  isViewed?: boolean | undefined;
}

const maxRows = 400;
/** Of one line of a diff, in rem. */
const lineHeight = 1.24;

/** The key under which a file's lines are drawn although they are not in view. */
export const drawnKey = (filePath: string): string => `drawn:${filePath}`;

/** One file of the diff. Its lines are drawn when they come near the view: hundreds of files can be open. */
export const ChangedFileView = memo(({ attemptId, file, layout, openAtFirst, isViewed }: ChangedFileProps) => {
  const text = useTaskText();
  const [open, setOpen] = useDisclosure(file.filePath, openAtFirst);
  const modes = useModeText(file);
  const label = file.oldPath === undefined ? file.filePath : text.changes.renamed(file.oldPath, file.filePath);
  return (
    <article
      aria-label={label}
      // of a closed file, the height is known
      className={`rounded-lg border border-line bg-code ${open ? "" : "[contain-intrinsic-size:auto_2.4rem] [content-visibility:auto] [overflow-clip-margin:4px]"}`}
      data-file={file.filePath}
    >
      <header
        className={`-top-3 sticky z-[2] flex w-full flex-wrap items-center rounded-t-lg bg-code ${open ? "border-line border-b" : "rounded-b-lg"}`}
      >
        <button
          aria-expanded={open}
          className="flex min-h-9 min-w-0 flex-1 max-sm:basis-full items-center gap-2 rounded-lg px-3 py-1 text-start text-sm hover:bg-hover"
          onClick={() => setOpen(!open)}
          type="button"
        >
          <Icon className={`shrink-0 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-1.5 font-mono text-[0.8rem]">
            {file.oldPath !== undefined && (
              <>
                <PathText className="text-ink-faint" text={file.oldPath} />
                <span aria-hidden="true" className="text-ink-faint">
                  →
                </span>
              </>
            )}
            <PathText text={file.filePath} />
          </span>
          {modes !== null && (
            <span className="shrink-0 font-mono text-ink-faint text-xs max-sm:hidden" title={modes}>
              {`${file.oldMode} → ${file.newMode}`}
            </span>
          )}
          {file.change && file.change !== "updated" && <span className="shrink-0 text-ink-faint text-xs">{text.tool[file.change]}</span>}
          <ChangeCount additions={file.additions} deletions={file.deletions} />
        </button>
        {isViewed !== undefined && <FileReviewActions attemptId={attemptId} file={file} isViewed={isViewed} setOpen={setOpen} />}
      </header>
      {open && isViewed !== undefined && <FileComments attemptId={attemptId} file={file} />}
      {open && modes !== null && <p className="px-3 py-2 text-ink-soft text-sm">{modes}</p>}
      {open && file.incomplete && <p className="px-3 py-2 text-sm text-warn">{text.changes.incomplete[file.incomplete]}</p>}
      {open && (
        <Content attemptId={attemptId} file={file} hasOtherText={modes !== null} isReviewed={isViewed !== undefined} layout={layout} />
      )}
    </article>
  );
});

function useModeText({ oldMode, newMode }: ChangedFile): string | null {
  const { changes: text } = useTaskText();
  return oldMode && newMode && oldMode !== newMode ? text.mode(text.kind[oldMode], text.kind[newMode]) : null;
}

type ContentProps = Pick<ChangedFileProps, "attemptId" | "file" | "layout"> & {
  /** That nothing changed within the text needs no word. */
  hasOtherText: boolean;
  isReviewed: boolean;
};

function Content({ attemptId, file, layout, hasOtherText, isReviewed }: ContentProps) {
  const text = useTaskText();
  const place = useRef<HTMLDivElement>(null);
  const [isDrawn, setDrawn] = useDisclosure(drawnKey(file.filePath));
  useNearView(place, () => setDrawn(true), !isDrawn);
  const lines = useMemo(() => file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0), [file]);
  const hasLines = !file.binary && (lines > 0 || (file.incomplete === undefined && !hasOtherText));
  if (!isDrawn) return <div ref={place} style={{ height: `min(70vh, ${Math.max(2, Math.min(maxRows, lines)) * lineHeight}rem)` }} />;
  const view = { file, id: `changes:${file.filePath}`, layout, maxRows };
  if (hasLines) return isReviewed ? <ReviewedDiff {...view} attemptId={attemptId} canDiscard /> : <DiffView {...view} />;
  if (!file.binary) return null;
  if (isImagePath(file.filePath)) return <ImageChange attemptId={attemptId} file={file} />;
  return <p className="px-3 py-2 text-ink-faint text-sm">{text.tool.binary}</p>;
}
