import type { AttemptId, FileSelection, Review, ReviewComment, SetViewed, UpdateComment } from "@skein/contracts";
import { queryOptions } from "@tanstack/react-query";
import { request } from "./request.ts";
import { withRetry } from "./retry.ts";

/** Where a comment is to be: without lines, it is about the whole file; without a path, about the whole attempt. */
export interface CommentTarget {
  path: string | null;
  side: ReviewComment["side"];
  startLine: number | null;
  endLine: number | null;
}

/** Comments on an attempt's changes, files that were viewed, and changes that are taken back. */
export const reviewApi = {
  addComment: (id: AttemptId, { path, side, startLine, endLine }: CommentTarget, body: string) =>
    request(`/api/attempts/${id}/comments`, {
      answer: "reviewComment",
      method: "POST",
      body: { ...(path === null ? {} : { path }), side, ...(startLine === null ? {} : { startLine, endLine: endLine ?? startLine }), body },
    }),
  updateComment: (id: ReviewComment["id"], body: UpdateComment) =>
    withRetry(() => request(`/api/comments/${id}`, { answer: "reviewComment", method: "PATCH", body })),
  removeComment: (id: ReviewComment["id"]) => request(`/api/comments/${id}`, { method: "DELETE" }),
  /** `reviewId` makes it safe to repeat. */
  send: (id: AttemptId, reviewId: string, message: string) =>
    withRetry(() => request(`/api/attempts/${id}/review`, { method: "POST", body: { id: reviewId, message } })),
  setViewed: (id: AttemptId, body: SetViewed) => withRetry(() => request(`/api/attempts/${id}/viewed`, { method: "PUT", body })),
  discard: (id: AttemptId, files: readonly FileSelection[]) =>
    request(`/api/attempts/${id}/discard`, { answer: "restored", method: "POST", body: { files } }),
  restore: (id: AttemptId, ref: string) => request(`/api/attempts/${id}/restore`, { answer: "restored", method: "POST", body: { ref } }),
};

export const reviewQuery = (id: AttemptId) =>
  queryOptions({
    queryKey: ["review", id],
    queryFn: ({ signal }): Promise<Review> => request(`/api/attempts/${id}/comments`, { answer: "review", signal }),
  });
