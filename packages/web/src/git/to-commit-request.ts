import type { AttemptDiff, CommitRequest } from "@skein/contracts";

/**
 * What to commit, or null while there is nothing to. With no file left out, everything: also files beyond the end of a long list. A
 * file that changes after it was listed is refused.
 */
export function toCommitRequest(input: {
  message: string;
  files: AttemptDiff["files"];
  /** Paths that are not committed. */
  left: ReadonlySet<string>;
}): CommitRequest | null {
  const message = input.message.trim();
  const chosen = input.files.filter(({ filePath }) => !input.left.has(filePath));
  if (message === "" || chosen.length === 0) return null;
  if (chosen.length === input.files.length) return { message };
  return { message, files: chosen.map(({ filePath, newId }) => ({ path: filePath, ...(newId ? { contentId: newId } : {}) })) };
}
