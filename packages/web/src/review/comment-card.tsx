import type { ReviewComment } from "@skein/contracts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reviewApi } from "../api/review-api.ts";
import { ByName } from "../team/by-name.tsx";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { CommentEditor } from "./comment-editor.tsx";
import { changeReview } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

const stateLooks: Record<ReviewComment["state"], string> = {
  draft: "bg-warn-wash text-warn",
  sent: "bg-accent-wash text-accent",
  resolved: "bg-good-wash text-good",
};

/** A comment with its state. `quoted`: it is not below its lines, so it shows them. `withPath`: it is not in its file. */
export function CommentCard({
  comment,
  quoted = false,
  withPath = false,
}: {
  comment: ReviewComment;
  quoted?: boolean;
  withPath?: boolean;
}) {
  const words = useReviewText();
  const client = useQueryClient();
  const { busy, error, run } = useAction();
  const isReadOnly = useReadOnlyPlace();
  const [editing, setEditing] = useState(false);
  const { attemptId, id, state, side, startLine, endLine, path } = comment;
  const place =
    startLine === null || endLine === null
      ? path === null
        ? words.wholeAttempt
        : words.wholeFile
      : words.lines(startLine, endLine, side === "old");
  const put = (changed: ReviewComment) =>
    changeReview(client, attemptId, (review) => ({
      ...review,
      comments: review.comments.map((one) => (one.id === id ? changed : one)),
    }));
  const update = async (body: Parameters<typeof reviewApi.updateComment>[1]) => put(await reviewApi.updateComment(id, body));
  const remove = () =>
    run(async () => {
      await reviewApi.removeComment(id);
      changeReview(client, attemptId, (review) => ({ ...review, comments: review.comments.filter((one) => one.id !== id) }));
      // written again, an outdated comment would be on other lines
      const canUndo = state === "draft" && !comment.isOutdated;
      const undo = () => void run(() => reviewApi.addComment(attemptId, { path, side, startLine, endLine }, comment.body));
      showToast({ text: state === "draft" ? words.removed : words.removedSent, tone: "plain", ...(canUndo ? { undo } : {}) });
    });
  if (editing)
    return (
      <CommentEditor
        initialText={comment.body}
        label={words.edit}
        onClose={() => setEditing(false)}
        onSave={(body) => update({ body })}
        saveLabel={words.update}
      />
    );
  return (
    <section aria-label={place} className="rounded-lg border border-line bg-raised px-3 py-2 text-sm" data-comment={state}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs">
        <span className={`rounded px-1.5 py-0.5 font-medium ${stateLooks[state]}`}>{words.state[state]}</span>
        {comment.isOutdated && <span className="rounded bg-active px-1.5 py-0.5 font-medium">{words.outdated}</span>}
        {withPath && path !== null && <span className="min-w-0 font-mono [overflow-wrap:anywhere]">{path}</span>}
        <span>{place}</span>
        <ByName by={comment.by} />
      </p>
      {quoted && comment.quote !== "" && (
        <ScrollBox className="mt-1.5 max-h-40 rounded bg-code px-2 py-1" dir="ltr">
          <pre className="font-mono text-[0.8rem]">{comment.quote}</pre>
        </ScrollBox>
      )}
      <p className="mt-1.5 whitespace-pre-wrap [overflow-wrap:anywhere]">{comment.body}</p>
      {error && <ErrorText>{error}</ErrorText>}
      {!isReadOnly && (
        <div className="-ms-3 mt-1 flex flex-wrap gap-x-1">
          {state === "draft" && (
            <Button disabled={busy} look="quiet" onClick={() => setEditing(true)}>
              {words.edit}
            </Button>
          )}
          {state !== "draft" && (
            <Button disabled={busy} look="quiet" onClick={() => void run(() => update({ resolved: state !== "resolved" }))}>
              {state === "resolved" ? words.reopen : words.resolve}
            </Button>
          )}
          <Button disabled={busy} look="quiet" onClick={() => void remove()}>
            {words.remove}
          </Button>
        </div>
      )}
    </section>
  );
}
