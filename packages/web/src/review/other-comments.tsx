import type { AttemptId, Review } from "@skein/contracts";
import { useCallback, useMemo } from "react";
import { CommentCard } from "./comment-card.tsx";
import { NewComment } from "./file-comments.tsx";
import { findOtherComments } from "./place-comments.ts";
import { useOpenEditors, useReviewPart } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

/** Comments that belong to no file of the diff, and the editor of one on the whole attempt. */
export function OtherComments({ attemptId, paths }: { attemptId: AttemptId; paths: readonly string[] }) {
  const words = useReviewText();
  const known = useMemo(() => new Set(paths), [paths]);
  const comments = useReviewPart(
    attemptId,
    useCallback((review: Review) => findOtherComments(review.comments, known), [known]),
  );
  const target = useOpenEditors(attemptId, null).get(null);
  if ((comments === undefined || comments.length === 0) && !target) return null;
  return (
    <section aria-label={words.otherComments} className="max-w-[46rem] space-y-2">
      {target && <NewComment attemptId={attemptId} target={target} />}
      {comments?.map((comment) => (
        <CommentCard comment={comment} key={comment.id} quoted withPath />
      ))}
    </section>
  );
}
