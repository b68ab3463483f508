import type { AttemptId, Review } from "@skein/contracts";
import { type FormEvent, useRef, useState } from "react";
import { type CommentTarget, reviewApi } from "../api/review-api.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { editorsOf } from "./editors.ts";
import { useReviewPart } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

const onAttempt: CommentTarget = { path: null, side: "new", startLine: null, endLine: null };
const countDrafts = ({ comments }: Review): number => comments.filter(({ state }) => state === "draft").length;

export interface ReviewBarProps {
  attemptId: AttemptId;
  /** How many of the files were viewed; absent where files have no such mark. */
  viewed?: number;
  total: number;
  className?: string;
}

/** How far the review is, a comment on the whole attempt, and the button that sends the drafts as one message. */
export function ReviewBar({ attemptId, viewed, total, className = "" }: ReviewBarProps) {
  const words = useReviewText();
  const drafts = useReviewPart(attemptId, countDrafts) ?? 0;
  const [message, setMessage] = useState("");
  const { busy, error, run } = useAction();
  // the same until it was sent: a second try must not send a second message
  const id = useRef(crypto.randomUUID());
  const send = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      await reviewApi.send(attemptId, id.current, message);
      id.current = crypto.randomUUID();
      setMessage("");
      showToast({ text: words.sent(drafts), tone: "plain" });
    });
  };
  if (total === 0 && drafts === 0) return null;
  return (
    <form className={`flex shrink-0 flex-wrap items-center gap-2 text-sm ${className}`} onSubmit={send}>
      {total > 0 && viewed !== undefined && <span className="text-ink-faint tabular-nums">{words.progress(viewed, total)}</span>}
      <IconButton label={words.commentOnAttempt} onClick={() => editorsOf(attemptId).start(onAttempt)}>
        <Icon name="edit" size={14} />
      </IconButton>
      {drafts > 0 && (
        <input
          aria-label={words.firstLine}
          className="@max-lg:order-last h-8 pointer-coarse:h-11 min-w-0 flex-1 @max-lg:basis-full rounded-md border border-line bg-raised px-2"
          onChange={(event) => setMessage(event.target.value)}
          placeholder={words.firstLine}
          value={message}
        />
      )}
      <Button className="ms-auto" disabled={drafts === 0 || busy} look="primary" type="submit">
        {words.send(drafts)}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
