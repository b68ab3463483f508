import type { AttemptId, Review } from "@skein/contracts";
import { useCallback, useMemo } from "react";
import { CommentCard } from "./comment-card.tsx";
import { findOtherComments } from "./place-comments.ts";
import { useReviewPart } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

/** Comments that belong to no file of the diff. */
export function OtherComments({ attemptId, paths }: { attemptId: AttemptId; paths: readonly string[] }) {
  const words = useReviewText();
  const known = useMemo(() => new Set(paths), [paths]);
  const comments = useReviewPart(
    attemptId,
    useCallback((review: Review) => findOtherComments(review.comments, known), [known]),
  );
  if (comments === undefined || comments.length === 0) return null;
  return (
    <section aria-label={words.otherComments} className="max-w-[46rem] space-y-2">
      {comments.map((comment) => (
        <CommentCard comment={comment} key={comment.id} quoted withPath />
      ))}
    </section>
  );
}
