import type { ChangedFile, ReviewComment } from "@skein/contracts";
import { keysOfRow, type LineKey, toLineKey } from "../diff/line-place.ts";
import { toDiffRows } from "../diff/to-diff-rows.ts";

/** Where the comments of one file are drawn. */
export interface PlacedComments {
  /** Below the last of their lines. */
  byLine: Partial<Record<LineKey, ReviewComment[]>>;
  /** On the whole file. */
  onFile: ReviewComment[];
  /** On lines that changed since, or that the diff does not show: at the top of the file, with the quoted lines. */
  apart: ReviewComment[];
}

/** Sorts a file's comments by where they are drawn. */
export function placeComments(comments: readonly ReviewComment[], file: ChangedFile): PlacedComments {
  const placed: PlacedComments = { byLine: {}, onFile: [], apart: [] };
  let shown: ReadonlySet<LineKey> | undefined;
  for (const comment of comments) {
    if (comment.path !== file.filePath) continue;
    if (comment.isOutdated) placed.apart.push(comment);
    else if (comment.endLine === null) placed.onFile.push(comment);
    else {
      shown ??= new Set(toDiffRows(file).flatMap(keysOfRow));
      const key = toLineKey({ side: comment.side, line: comment.endLine });
      if (shown.has(key)) placed.byLine[key] = [...(placed.byLine[key] ?? []), comment];
      else placed.apart.push(comment);
    }
  }
  return placed;
}

/** Comments on the whole attempt, and on files that are not in the diff. */
export function findOtherComments(comments: readonly ReviewComment[], paths: ReadonlySet<string>): ReviewComment[] {
  return comments.filter(({ path }) => path === null || !paths.has(path));
}
