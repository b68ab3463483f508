import type { AttemptId, ChangedFile, DiffHunk, ReviewComment } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { type CommentTarget, reviewApi } from "../api/review-api.ts";
import type { LineNotes } from "../diff/line-picker.tsx";
import type { LineKey } from "../diff/line-place.ts";
import { useText } from "../i18n/locale.tsx";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button } from "../ui/button.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { CommentCard } from "./comment-card.tsx";
import { CommentEditor } from "./comment-editor.tsx";
import { editorsOf } from "./editors.ts";
import { hasHunks, useDiscard } from "./use-discard.ts";
import { changeReview, useFileComments, useOpenEditors } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

export interface ReviewedFileProps {
  attemptId: AttemptId;
  file: ChangedFile;
}

/** The comments and editors below the lines of a file. `canDiscard`: hunks have a button that discards them. */
export function useLineNotes({ attemptId, file, canDiscard }: ReviewedFileProps & { canDiscard: boolean }): LineNotes {
  const words = useReviewText();
  const { team } = useText();
  const isReadOnly = useReadOnlyPlace();
  const { byLine } = useFileComments(attemptId, file);
  const open = useOpenEditors(attemptId, file.filePath);
  const keys = useMemo(
    () => new Set([...(Object.keys(byLine) as LineKey[]), ...[...open.keys()].filter((key) => key !== null)]),
    [byLine, open],
  );
  const draw = useCallback((key: LineKey) => <LineComments attemptId={attemptId} file={file} lineKey={key} />, [attemptId, file]);
  const drawHunk = useCallback((hunk: DiffHunk) => <HunkActions attemptId={attemptId} file={file} hunk={hunk} />, [attemptId, file]);
  return {
    keys,
    draw,
    drawHunk: canDiscard && !isReadOnly && hasHunks(file) ? drawHunk : undefined,
    onPick({ side, line }, { extend }) {
      if (isReadOnly) return showToast({ text: team.readOnly, tone: "plain" });
      const editors = editorsOf(attemptId);
      if (extend) editors.extend(file.filePath, { side, line });
      else editors.start({ path: file.filePath, side, startLine: line, endLine: line });
    },
    hiddenLabel: words.hidden,
    pickLabel: ({ side, line }) => words.commentOn(line, line, side === "old"),
  };
}

/** In the header of a hunk. */
function HunkActions({ attemptId, file, hunk }: ReviewedFileProps & { hunk: DiffHunk }) {
  const words = useReviewText();
  const discard = useDiscard(attemptId);
  const { busy, run } = useAction();
  return (
    <Button
      aria-label={words.discardHunkAt(Math.max(1, hunk.newStart))}
      className="pointer-fine:h-6 px-2 text-xs"
      disabled={busy}
      look="quiet"
      onClick={() => void run(() => discard(file, hunk))}
    >
      {words.discardHunk}
    </Button>
  );
}

function LineComments({ attemptId, file, lineKey }: ReviewedFileProps & { lineKey: LineKey }) {
  const { byLine } = useFileComments(attemptId, file);
  const target = useOpenEditors(attemptId, file.filePath).get(lineKey);
  return (
    <div className="space-y-2">
      <Cards comments={byLine[lineKey] ?? []} />
      {target && <NewComment attemptId={attemptId} key={target.startLine} target={target} />}
    </div>
  );
}

/** At the top of a file: comments on all of it, and those whose lines are not there any more. */
export function FileComments({ attemptId, file }: ReviewedFileProps) {
  const { onFile, apart } = useFileComments(attemptId, file);
  const target = useOpenEditors(attemptId, file.filePath).get(null);
  if (onFile.length + apart.length === 0 && !target) return null;
  return (
    <div className="max-w-[46rem] space-y-2 p-2">
      <Cards comments={onFile} />
      <Cards comments={apart} quoted />
      {target && <NewComment attemptId={attemptId} target={target} />}
    </div>
  );
}

function Cards({ comments, quoted = false }: { comments: readonly ReviewComment[]; quoted?: boolean }) {
  return comments.map((comment) => <CommentCard comment={comment} key={comment.id} quoted={quoted} />);
}

/** The editor of a comment that does not exist yet. */
export function NewComment({ attemptId, target }: { attemptId: AttemptId; target: CommentTarget }) {
  const words = useReviewText();
  const client = useQueryClient();
  const editors = editorsOf(attemptId);
  const { path, startLine, endLine, side } = target;
  const onWhole = path === null ? words.commentOnAttempt : words.commentOnFile;
  const label = startLine === null || endLine === null ? onWhole : words.commentOn(startLine, endLine, side === "old");
  const save = async (body: string) => {
    const comment = await reviewApi.addComment(attemptId, target, body);
    editors.setText(target, "");
    changeReview(client, attemptId, (review) => ({
      ...review,
      comments: [...review.comments.filter(({ id }) => id !== comment.id), comment],
    }));
  };
  return (
    <CommentEditor
      initialText={editors.getText(target)}
      label={label}
      onChange={(text) => editors.setText(target, text)}
      onClose={() => editors.close(target)}
      onSave={save}
      saveLabel={words.save}
    />
  );
}
