import { DiffView, type DiffViewProps } from "../diff/diff-view.tsx";
import { type ReviewedFileProps, useLineNotes } from "./file-comments.tsx";

/** The diff of a file, with the comments below its lines. */
export function ReviewedDiff({
  attemptId,
  file,
  canDiscard,
  ...view
}: Omit<DiffViewProps, "file" | "notes"> & ReviewedFileProps & { canDiscard: boolean }) {
  return <DiffView {...view} file={file} notes={useLineNotes({ attemptId, file, canDiscard })} />;
}
