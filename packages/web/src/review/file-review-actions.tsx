import type { AttemptId, ChangedFile } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reviewApi, reviewQuery } from "../api/review-api.ts";
import { useAttemptPlace } from "../editors/attempt-place.ts";
import { useOpenPlace } from "../editors/open-place.ts";
import { IconButton } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { showToast } from "../ui/toast.ts";
import { editorsOf, toFileTarget } from "./editors.ts";
import { useDiscard } from "./use-discard.ts";
import { changeReview } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";
import { toContentId, withViewed } from "./viewed.ts";

export interface FileReviewActionsProps {
  attemptId: AttemptId;
  file: ChangedFile;
  isViewed: boolean;
  setOpen(open: boolean): void;
}

/** In the header of a file: the "viewed" mark, which folds the file, and a menu to comment on it or to discard its changes. */
export function FileReviewActions({ attemptId, file, isViewed, setOpen }: FileReviewActionsProps) {
  const words = useReviewText();
  const client = useQueryClient();
  const describe = useErrorText();
  const report = (error: unknown) => showToast({ text: describe(error), tone: "bad" });
  const { filePath: path } = file;
  const attempt = useAttemptPlace();
  const { label, open } = useOpenPlace();
  // shown at once, until the server has stored it
  const [wanted, setWanted] = useState<boolean | null>(null);
  const markViewed = async (viewed: boolean) => {
    const mark = { path, contentId: toContentId(file) };
    setWanted(viewed);
    setOpen(!viewed);
    try {
      await reviewApi.setViewed(attemptId, { ...mark, viewed });
      // an answer that is on its way may be older
      await client.cancelQueries({ queryKey: reviewQuery(attemptId).queryKey });
      changeReview(client, attemptId, (review) => withViewed(review, mark, viewed));
      await client.invalidateQueries({ queryKey: reviewQuery(attemptId).queryKey });
    } catch (error) {
      report(error);
    } finally {
      setWanted(null);
    }
  };
  const discard = useDiscard(attemptId);
  const comment = () => {
    setOpen(true);
    editorsOf(attemptId).start(toFileTarget(file));
  };
  return (
    <div className="ms-auto flex shrink-0 items-center gap-1">
      <label className="flex h-7 pointer-coarse:h-11 items-center gap-1.5 px-1 text-ink-soft text-xs">
        <input
          checked={wanted ?? isViewed}
          className="size-4 accent-accent"
          onChange={(event) => void markViewed(event.target.checked)}
          type="checkbox"
        />
        {words.viewed}
      </label>
      <Menu
        align="end"
        entries={[
          { kind: "item", icon: "edit", label: words.commentOnFile, onSelect: comment },
          attempt && file.newId !== undefined
            ? { kind: "item", icon: "external", label, onSelect: () => open(attempt, { path, line: firstLineOf(file) }) }
            : null,
          { kind: "line" },
          { kind: "item", icon: "trash", label: words.discard, danger: true, onSelect: () => void discard(file) },
        ]}
        trigger={
          <IconButton label={words.fileActions(path)}>
            <Icon name="more" size={14} />
          </IconButton>
        }
      />
    </div>
  );
}

/** The first line that is different now. */
function firstLineOf({ hunks: [first] }: ChangedFile): number | undefined {
  if (first === undefined || first.newStart === 0) return undefined;
  return (
    first.newStart +
    Math.max(
      0,
      first.lines.findIndex((line) => !line.startsWith(" ")),
    )
  );
}
