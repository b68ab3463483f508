import type { AttemptId, ChangedFile, DiffHunk } from "@skein/contracts";
import { reviewApi } from "../api/review-api.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useReviewText } from "./use-review-text.ts";

/** Discards the changes to a file, or one hunk of them. The toast that reports it has the undo, or the reason of a failure. */
export function useDiscard(attemptId: AttemptId): (file: ChangedFile, hunk?: DiffHunk) => Promise<void> {
  const words = useReviewText();
  const describe = useErrorText();
  const report = (error: unknown) => showToast({ text: describe(error), tone: "bad" });
  return async ({ filePath: path, newId }, hunk) => {
    const content = newId === undefined ? {} : { contentId: newId };
    try {
      const { safetyRef } = await reviewApi.discard(attemptId, [{ path, ...content, ...(hunk ? { hunks: [toSelection(hunk)] } : {}) }]);
      const undo = () => void reviewApi.restore(attemptId, safetyRef.ref).catch(report);
      showToast({ text: hunk ? words.hunkDiscarded(path) : words.discarded(path), tone: "plain", undo });
    } catch (error) {
      report(error);
    }
  };
}

const toSelection = ({ oldStart, oldLines, newStart, newLines }: DiffHunk) => ({ oldStart, oldLines, newStart, newLines });

/** Whether hunks of the file can be discarded one by one: a file that was created or deleted is one hunk, and a cut one is not known. */
export const hasHunks = ({ change, incomplete }: ChangedFile): boolean =>
  (change === "updated" || change === "renamed") && incomplete === undefined;
