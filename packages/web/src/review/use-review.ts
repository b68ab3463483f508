import type { AttemptDiff, AttemptId, ChangedFile, Review } from "@skein/contracts";
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { type CommentTarget, reviewQuery } from "../api/review-api.ts";
import type { LineKey } from "../diff/line-place.ts";
import { editorsOf, keyOfTarget } from "./editors.ts";
import { findPlacedComments, type PlacedComments } from "./place-comments.ts";
import { findViewedPaths } from "./viewed.ts";

const nothing: PlacedComments = { byLine: {}, onFile: [], apart: [] };
const noPaths: ReadonlySet<string> = new Set();

/** A part of the review. Components that read a part are drawn again only when that part changes. */
export function useReviewPart<Part>(attemptId: AttemptId, select: (review: Review) => Part): Part | undefined {
  return useQuery({ ...reviewQuery(attemptId), select }).data;
}

/** Comments follow their lines: where they are is asked for again when the diff has changed. */
export function useCurrentLines(attemptId: AttemptId, diff: AttemptDiff | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (diff) void client.invalidateQueries({ queryKey: reviewQuery(attemptId).queryKey });
  }, [client, attemptId, diff]);
}

export function useFileComments(attemptId: AttemptId, file: ChangedFile): PlacedComments {
  return (
    useReviewPart(
      attemptId,
      useCallback(({ comments }: Review) => findPlacedComments(comments, file), [file]),
    ) ?? nothing
  );
}

export function useViewedPaths(attemptId: AttemptId, files: readonly ChangedFile[]): ReadonlySet<string> {
  const paths = useReviewPart(
    attemptId,
    useCallback(({ viewed }: Review) => findViewedPaths(viewed, files), [files]),
  );
  return useMemo(() => (paths ? new Set(paths) : noPaths), [paths]);
}

/** The open editors of new comments in a file, by line; null: on the file itself. Without a path, the one on the attempt. */
export function useOpenEditors(attemptId: AttemptId, path: string | null): ReadonlyMap<LineKey | null, CommentTarget> {
  const { open } = editorsOf(attemptId);
  // a text, so that editors of other files draw nothing again
  const targets = useSyncExternalStore(open.subscribe, () => JSON.stringify(open.get().filter((target) => target.path === path)));
  return useMemo(() => new Map((JSON.parse(targets) as CommentTarget[]).map((target) => [keyOfTarget(target), target])), [targets]);
}

/** Shows a change before the server's event has arrived. */
export function changeReview(client: QueryClient, attemptId: AttemptId, change: (review: Review) => Review): void {
  client.setQueryData(reviewQuery(attemptId).queryKey, (review) => review && change(review));
}
