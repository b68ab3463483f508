import type { Attempt, AttemptId, ChangedFile } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { diffQuery } from "../api/queries.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useText } from "../i18n/locale.tsx";
import { editorsOf, toFileTarget } from "../review/editors.ts";
import { FileComments } from "../review/file-comments.tsx";
import { OtherComments } from "../review/other-comments.tsx";
import { ReviewBar } from "../review/review-bar.tsx";
import { ReviewedDiff } from "../review/reviewed-diff.tsx";
import { useCurrentLines } from "../review/use-review.ts";
import { useReviewText } from "../review/use-review-text.ts";
import { IconButton } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import type { ComparedFile } from "./to-comparison.ts";

export interface ComparedFilesProps {
  attempts: readonly Attempt[];
  files: readonly ComparedFile[];
  /** The attempts whose changes are loaded; the others are left blank. */
  loaded: readonly boolean[];
}

/** A row for each file that any of them changed; when opened, the changes are side by side. */
export function ComparedFiles({ attempts, files, loaded }: ComparedFilesProps) {
  const { compare: words } = useText().taskPage;
  if (files.length === 0) return null;
  return (
    <>
      <tr className="border-line border-t">
        <th className="pt-4 pb-1 text-start font-medium" colSpan={attempts.length + 1} scope="colgroup">
          {words.files}
        </th>
      </tr>
      <ReviewRow attempts={attempts} files={files} loaded={loaded} />
      {files.map((file) => (
        <Fragment key={file.path}>
          <FileRow attempts={attempts} file={file} loaded={loaded} />
        </Fragment>
      ))}
    </>
  );
}

/** The comments on each attempt as a whole, and the button that sends its review. */
function ReviewRow({ attempts, files, loaded }: ComparedFilesProps) {
  const words = useReviewText();
  return (
    <tr className="align-top">
      <th className="py-2 pe-3 text-start font-normal text-ink-faint" scope="row">
        {words.title}
      </th>
      {attempts.map(({ id }, index) => (
        <td className="@container border-line border-s px-3 py-1.5" key={id}>
          {loaded[index] && <AttemptReview attemptId={id} files={files.map((file) => file.files[index] ?? null)} />}
        </td>
      ))}
    </tr>
  );
}

function AttemptReview({ attemptId, files }: { attemptId: AttemptId; files: readonly (ChangedFile | null)[] }) {
  const { data: diff } = useQuery(diffQuery(attemptId));
  useCurrentLines(attemptId, diff);
  const paths = files.flatMap((file) => (file ? [file.filePath] : []));
  return (
    <div className="space-y-2">
      <ReviewBar attemptId={attemptId} total={paths.length} />
      <OtherComments attemptId={attemptId} paths={paths} />
    </div>
  );
}

function FileRow({ attempts, file, loaded }: Omit<ComparedFilesProps, "files"> & { file: ComparedFile }) {
  const text = useText();
  const { compare: words } = text.taskPage;
  const [open, setOpen] = useDisclosure(`file:${file.path}`);
  return (
    <>
      <tr className="border-line border-t" data-file={file.path}>
        <th className="py-1.5 pe-3 text-start font-normal" scope="row">
          <button
            aria-expanded={open}
            className="flex w-full items-start gap-1 rounded text-start hover:bg-hover"
            onClick={() => setOpen(!open)}
            type="button"
          >
            <Icon className={`mt-1 text-ink-faint transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
            <span className="min-w-0 font-mono text-[0.8rem] [overflow-wrap:anywhere]">{file.path}</span>
          </button>
        </th>
        {file.files.map((changed, index) => (
          <td className="border-line border-s px-3 py-1.5" key={attempts[index]?.id}>
            {changed ? (
              <span className="flex items-center gap-2">
                <ChangeCount additions={changed.additions} deletions={changed.deletions} />
                {changed.binary && <span className="text-ink-faint text-xs">{text.tool.binary}</span>}
                {file.isSame && <span className="text-ink-faint text-xs">{words.same}</span>}
                <CommentButton attemptId={attempts[index]?.id} file={changed} onOpen={() => setOpen(true)} />
              </span>
            ) : (
              <span className="text-ink-faint text-xs">{loaded[index] ? words.untouched : "…"}</span>
            )}
          </td>
        ))}
      </tr>
      {open && (
        <tr className="align-top" data-sides={file.path}>
          <td />
          {file.files.map((changed, index) => (
            <td className="border-line border-s px-2 pb-2" key={attempts[index]?.id}>
              {changed && <ReviewedFile attemptId={attempts[index]?.id} file={changed} />}
            </td>
          ))}
        </tr>
      )}
    </>
  );
}

interface ColumnFile {
  attemptId: AttemptId | undefined;
  file: ChangedFile;
}

function CommentButton({ attemptId, file, onOpen }: ColumnFile & { onOpen(): void }) {
  const words = useReviewText();
  if (attemptId === undefined) return null;
  const comment = () => {
    onOpen();
    editorsOf(attemptId).start(toFileTarget(file));
  };
  return (
    <IconButton className="ms-auto" label={words.commentOnFile} onClick={comment}>
      <Icon name="edit" size={14} />
    </IconButton>
  );
}

function ReviewedFile({ attemptId, file }: ColumnFile) {
  if (attemptId === undefined) return null;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-code">
      <FileComments attemptId={attemptId} file={file} />
      {!file.binary && (
        <ReviewedDiff attemptId={attemptId} canDiscard={false} file={file} id={`compare:${attemptId}:${file.filePath}`} maxRows={200} />
      )}
    </div>
  );
}
