import type { ChangedFile, Review, ViewedFile } from "@skein/contracts";

type Content = Pick<ChangedFile, "filePath" | "newId">;

/** What a "viewed" mark is tied to: another content of the file removes the mark. Empty for a deleted file. */
export const toContentId = ({ newId }: Pick<ChangedFile, "newId">): string => newId ?? "";

/** The paths of the files that the user has looked at as they are now. */
export function findViewedPaths(viewed: readonly ViewedFile[], files: readonly Content[]): string[] {
  const marks = new Map(viewed.map(({ path, contentId }) => [path, contentId]));
  return files.filter((file) => marks.get(file.filePath) === toContentId(file)).map(({ filePath }) => filePath);
}

/** The review after a file was marked or unmarked, before the server has confirmed it. */
export function withViewed(review: Review, mark: ViewedFile, isViewed: boolean): Review {
  const others = review.viewed.filter(({ path }) => path !== mark.path);
  return { ...review, viewed: isViewed ? [...others, mark] : others };
}
