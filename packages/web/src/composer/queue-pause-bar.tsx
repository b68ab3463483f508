import type { QueuedMessage, QueuePause } from "@skein/contracts";
import { useState } from "react";
import { api } from "../api/api.ts";
import { attemptApi } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { firstLine } from "../text/first-line.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";

export interface QueuePauseBarProps {
  /** At least one message. */
  queue: readonly QueuedMessage[];
  pause: QueuePause;
  isExecuting: boolean;
  /** The bar is removed, and with it the button that had the focus. */
  onResumed(): void;
}

/** Why the queue is paused, what a new message does meanwhile, and the two ways to continue. */
export function QueuePauseBar({ queue, pause, isExecuting, onResumed }: QueuePauseBarProps) {
  const text = useTaskText();
  const words = text.flow.queue;
  const { busy, error, run } = useAction();
  const [discarding, setDiscarding] = useState(false);
  const [first] = queue;
  if (first === undefined) return null;
  const { taskId, attemptId } = first;
  const resume = () =>
    run(async () => {
      await api.execute({ id: crypto.randomUUID(), type: "RESUME_QUEUE", taskId, attemptId });
      onResumed();
    });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 pb-1.5">
        <div className="min-w-52 flex-1">
          <p className="flex items-center gap-1.5 font-medium text-sm text-warn" role="status">
            <Icon className="shrink-0" name="pause" size={14} />
            {words.paused}
          </p>
          <p className="text-ink-soft text-xs">{words.explain(words.why[pause.reason], isExecuting ? words.sendsLater : words.sendsNow)}</p>
        </div>
        <div className="flex gap-1.5">
          <Button disabled={busy} onClick={() => void resume()} title={isExecuting ? words.resumeLater : words.resumeNow(queue.length)}>
            {words.resume}
          </Button>
          <Button aria-label={words.discardLabel} look="quiet" onClick={() => setDiscarding(true)}>
            {words.discard}
          </Button>
        </div>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      <ConfirmDialog
        action={words.discard}
        description={words.discardText(queue.length, firstLine(first.message))}
        onConfirm={() => attemptApi.discardQueue(attemptId)}
        onOpenChange={setDiscarding}
        open={discarding}
        title={words.discardTitle(queue.length)}
      />
    </>
  );
}
