import type { AttemptId, Review } from "@skein/contracts";
import { type FormEvent, useRef, useState } from "react";
import { reviewApi } from "../api/review-api.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { useReviewPart } from "./use-review.ts";
import { useReviewText } from "./use-review-text.ts";

const countDrafts = ({ comments }: Review): number => comments.filter(({ state }) => state === "draft").length;

/** How far the review is, and the button that sends its drafts as one message. */
export function ReviewBar({ attemptId, viewed, total }: { attemptId: AttemptId; viewed: number; total: number }) {
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
  return (
    <form className="flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1 text-sm" onSubmit={send}>
      <span className="text-ink-faint tabular-nums">{words.progress(viewed, total)}</span>
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
