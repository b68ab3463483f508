import type { Attempt } from "@skein/contracts";
import { type KeyboardEvent, useId, useState } from "react";
import { MessageImages } from "../conversation/message-view.tsx";
import type { RewindRequest } from "../conversation/rewind-request.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DialogActions } from "../ui/dialog-actions.tsx";
import { FailureText } from "../ui/failure-text.tsx";
import { useAction } from "../ui/use-action.ts";
import { useForkAttempt } from "./use-fork-attempt.ts";
import { useRewindText } from "./use-rewind-text.ts";

export interface ResendDialogProps {
  attempt: Attempt;
  request: Extract<RewindRequest, { kind: "resend" }>;
  onClose(): void;
}

/** An earlier message, to be edited and sent in a new attempt that begins before it. */
export function ResendDialog({ attempt, request, onClose }: ResendDialogProps) {
  const words = useRewindText();
  const id = useId();
  const [text, setText] = useState(request.message.text);
  const { images } = request.message;
  const fork = useForkAttempt(attempt);
  const { busy, failure, run } = useAction();
  const canSend = !busy && (text.trim() !== "" || images.length > 0);
  const send = () =>
    run(async () => {
      await fork({ executionId: request.executionId, at: "start" }, { text, images });
      onClose();
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (canSend) void send();
  };
  return (
    <Dialog
      description={words.resendWhat(attempt.number)}
      onOpenChange={(open) => !open && onClose()}
      open
      title={words.resendTitle}
      width="wide"
    >
      <div className="space-y-3">
        <label className="sr-only" htmlFor={id}>
          {words.message}
        </label>
        <textarea
          autoFocus
          className="field-sizing-content block max-h-[50dvh] min-h-24 w-full resize-none rounded-md border border-line-strong bg-canvas px-2.5 py-2 text-sm"
          id={id}
          maxLength={1_000_000}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          value={text}
        />
        <MessageImages images={images} />
        {failure && <FailureText {...failure} />}
        <DialogActions busy={busy} disabled={!canSend} keys="Ctrl/⌘ ↵" onCancel={onClose} onSubmit={() => void send()}>
          {words.resend}
        </DialogActions>
      </div>
    </Dialog>
  );
}
