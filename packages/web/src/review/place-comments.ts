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

const placed = new WeakMap<ChangedFile, { comments: readonly ReviewComment[]; result: PlacedComments }>();

/** As `placeComments`. Each place that shows comments of a file asks for it: it is computed once per file and list of comments. */
export function findPlacedComments(comments: readonly ReviewComment[], file: ChangedFile): PlacedComments {
  const known = placed.get(file);
  if (known?.comments === comments) return known.result;
  const result = placeComments(comments, file);
  placed.set(file, { comments, result });
  return result;
}

const shownLines = new WeakMap<ChangedFile, ReadonlySet<LineKey>>();

function findShownLines(file: ChangedFile): ReadonlySet<LineKey> {
  const known = shownLines.get(file) ?? new Set(toDiffRows(file).flatMap(keysOfRow));
  shownLines.set(file, known);
  return known;
}

/** Sorts a file's comments by where they are drawn. */
export function placeComments(comments: readonly ReviewComment[], file: ChangedFile): PlacedComments {
  const result: PlacedComments = { byLine: {}, onFile: [], apart: [] };
  for (const comment of comments) {
    if (comment.path !== file.filePath) continue;
    if (comment.isOutdated) result.apart.push(comment);
    else if (comment.endLine === null) result.onFile.push(comment);
    else {
      const key = toLineKey({ side: comment.side, line: comment.endLine });
      if (findShownLines(file).has(key)) result.byLine[key] = [...(result.byLine[key] ?? []), comment];
      else result.apart.push(comment);
    }
  }
  return result;
}

/** Comments on the whole attempt, and on files that are not in the diff. */
export function findOtherComments(comments: readonly ReviewComment[], paths: ReadonlySet<string>): ReviewComment[] {
  return comments.filter(({ path }) => path === null || !paths.has(path));
}
