import type { Attempt, AttemptId, ChangedFile } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { diffQuery } from "../api/queries.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { editorsOf, toFileTarget } from "../review/editors.ts";
import { FileComments } from "../review/file-comments.tsx";
import { OtherComments } from "../review/other-comments.tsx";
import { ReviewBar } from "../review/review-bar.tsx";
import { ReviewedDiff } from "../review/reviewed-diff.tsx";
import { useCurrentLines } from "../review/use-review.ts";
import { useReviewText } from "../review/use-review-text.ts";
import { IconButton } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { ComparedRow, cellClass } from "./compared-row.tsx";
import type { ComparedFile } from "./to-comparison.ts";

export interface ComparedFilesProps {
  attempts: readonly Attempt[];
  files: readonly ComparedFile[];
  /** The attempts whose changes are loaded; the others are left blank. */
  loaded: readonly boolean[];
  isStacked: boolean;
}

/** A row for each file that any of them changed; when opened, the changes are side by side. */
export function ComparedFiles(props: ComparedFilesProps) {
  const { attempts, files, isStacked } = props;
  const { compare: words } = useTaskText().taskPage;
  if (files.length === 0) return null;
  return (
    <>
      <tr className="border-line border-t">
        <th className="pt-4 pb-1 text-start font-medium max-sm:px-3" colSpan={attempts.length + Number(!isStacked)} scope="colgroup">
          {words.files}
        </th>
      </tr>
      <ReviewRow {...props} />
      {files.map((file) => (
        <Fragment key={file.path}>
          <FileRow {...props} file={file} />
        </Fragment>
      ))}
    </>
  );
}

/** The comments on each attempt as a whole, and the button that sends its review. */
function ReviewRow({ attempts, files, loaded, isStacked }: ComparedFilesProps) {
  const words = useReviewText();
  return (
    <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.title}>
      {attempts.map(({ id }, index) => (
        <td className={`@container ${cellClass} py-1.5`} key={id}>
          {loaded[index] && <AttemptReview attemptId={id} files={files.map((file) => file.files[index] ?? null)} />}
        </td>
      ))}
    </ComparedRow>
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

function FileRow({ attempts, file, loaded, isStacked }: ComparedFilesProps & { file: ComparedFile }) {
  const text = useTaskText();
  const { compare: words } = text.taskPage;
  const [open, setOpen] = useDisclosure(`file:${file.path}`);
  return (
    <>
      <ComparedRow
        className="py-1"
        columns={attempts.length}
        file={file.path}
        isStacked={isStacked}
        name={
          <button
            aria-expanded={open}
            className="flex min-h-7 pointer-coarse:min-h-10 w-full items-center gap-1 rounded text-start hover:bg-hover"
            onClick={() => setOpen(!open)}
            type="button"
          >
            <Chevron open={open} />
            <PathText className="font-mono text-[0.8rem]" text={file.path} />
          </button>
        }
      >
        {file.files.map((changed, index) => (
          <td className={`${cellClass} py-1.5`} key={attempts[index]?.id}>
            {changed ? (
              <span className="flex items-center gap-2">
                <ChangeCount additions={changed.additions} deletions={changed.deletions} />
                {changed.binary && <span className="text-ink-faint text-xs">{text.tool.binary}</span>}
                {hasNoText(changed) && <span className="text-ink-faint text-xs">{text.tool[changed.change ?? "updated"]}</span>}
                {file.isSame && <span className="text-ink-faint text-xs">{words.same}</span>}
                <CommentButton attemptId={attempts[index]?.id} file={changed} onOpen={() => setOpen(true)} />
              </span>
            ) : (
              <span className="text-ink-faint text-xs">{loaded[index] ? words.untouched : "…"}</span>
            )}
          </td>
        ))}
      </ComparedRow>
      {open && (
        <tr className="align-top" data-sides={file.path}>
          {!isStacked && <td />}
          {file.files.map((changed, index) => (
            <td className="border-line border-s px-2 pb-2 max-sm:first:border-s-0" key={attempts[index]?.id}>
              {changed && <ReviewedFile attemptId={attempts[index]?.id} file={changed} />}
            </td>
          ))}
        </tr>
      )}
    </>
  );
}

/** An empty file, a rename or another mode: there are no lines to count. */
const hasNoText = ({ binary, additions, deletions }: ChangedFile): boolean => !binary && additions + deletions === 0;

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
