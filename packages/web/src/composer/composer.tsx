import type { ImagePart, TaskId } from "@skein/contracts";
import { type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { FilePlace } from "../api/attempt-api.ts";
import type { SendOptions } from "../conversation/conversation-session.ts";
import { useText } from "../i18n/locale.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { type QueueFacts, toComposerHints } from "./composer-hints.ts";
import { composerAction } from "./composer-keys.ts";
import { createDraftStore } from "./draft-store.ts";
import { MessageField } from "./message-field.tsx";
import { maxImages } from "./read-image.ts";

export interface ComposerHandle {
  focus(): void;
  setMessage(text: string, images?: readonly ImagePart[]): void;
  /** As if it had been typed and sent; what was typed stays where it cannot be sent. */
  send(text: string): void;
  /** A message that could not be sent: before what was written since, with the reason. */
  giveBack(text: string, images: readonly ImagePart[], error: unknown): void;
}

export interface ComposerProps {
  taskId: TaskId;
  /** Whose files and commands can be named. */
  place: FilePlace;
  /** What was sent before, the newest last. */
  sent: readonly string[];
  isExecuting: boolean;
  /** The agent waits for an answer. */
  isAsked: boolean;
  /** What waits to be sent. */
  queue: QueueFacts;
  /** Rejects when the message could not be taken; then the text stays. */
  onSend(text: string, images: readonly ImagePart[], options: SendOptions): Promise<void>;
  onStop(): Promise<void>;
  handle: RefObject<ComposerHandle | null>;
}

const drafts = createDraftStore(globalThis.localStorage);

export function Composer({ taskId, place, sent, isExecuting, isAsked, queue, onSend, onStop, handle }: ComposerProps) {
  const text = useText();
  const describe = useErrorText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraftState] = useState(() => drafts.read(taskId));
  const [images, setImages] = useState<readonly ImagePart[]>([]);
  const [busy, setBusy] = useState<"sending" | "stopping" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const setDraft = useCallback(
    (value: string) => {
      setDraftState(value);
      drafts.write(taskId, value);
    },
    [taskId],
  );
  // On a touch screen the keyboard would cover what the person came to read.
  useEffect(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus({ preventScroll: true });
  }, []);

  const attempt = async (kind: "sending" | "stopping", action: () => Promise<void>, onFailure: () => void = () => {}) => {
    setBusy(kind);
    setError(null);
    try {
      await action();
    } catch (failure) {
      onFailure();
      setError(describe(failure));
    } finally {
      setBusy(null);
    }
  };
  const empty = draft.trim() === "" && images.length === 0;
  const send = (options: SendOptions = {}, message = draft) => {
    if ((message.trim() === "" && images.length === 0) || busy === "sending") return;
    setDraft("");
    setImages([]);
    void attempt(
      "sending",
      () => onSend(message, images, options),
      () => {
        setDraft(message);
        setImages(images);
      },
    );
  };
  const hints = toComposerHints({ isExecuting, isAsked, queue }, text);
  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    setMessage: (value, attached = []) => {
      setDraft(value);
      setImages(attached);
      field.current?.focus();
    },
    send: (value) => send({}, value),
    giveBack: (value, attached, failure) => {
      setDraft([value, field.current?.value ?? ""].filter(Boolean).join("\n\n"));
      setImages((since) => [...attached, ...since].slice(0, maxImages));
      setError(describe(failure));
    },
  }));
  const stop = () => {
    if (busy === "stopping") return;
    // the button goes, and its focus with it
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus({ preventScroll: true });
    void attempt("stopping", onStop);
  };

  return (
    <div>
      {error && (
        <div className="mb-2">
          <ErrorText>{error}</ErrorText>
        </div>
      )}
      <MessageField
        buttons={
          <>
            {isExecuting && !empty && (
              <button
                className="flex h-8 pointer-coarse:h-10 shrink-0 items-center rounded-full px-3 font-medium text-accent text-sm hover:bg-hover disabled:text-ink-faint"
                disabled={busy === "sending"}
                onClick={() => send({ steer: true })}
                title={text.composer.sendNowHint}
                type="button"
              >
                {text.composer.sendNow}
              </button>
            )}
            {isExecuting && (
              <button
                aria-label={text.composer.stop}
                className="flex h-8 pointer-coarse:h-10 items-center gap-1.5 rounded-full border border-line-strong px-3 font-medium text-sm hover:bg-hover"
                disabled={busy === "stopping"}
                onClick={stop}
                title={hints.stop}
                type="button"
              >
                {busy === "stopping" ? <Spinner size={13} /> : <Icon className="fill-current" name="stop" size={12} />}
                {text.composer.stop}
              </button>
            )}
            <button
              aria-label={text.composer.send}
              className="flex size-8 pointer-coarse:size-10 items-center justify-center rounded-full bg-accent text-accent-ink hover:bg-accent-strong disabled:bg-active disabled:text-ink-faint"
              disabled={empty || busy === "sending"}
              onClick={() => send()}
              title={hints.send}
              type="button"
            >
              {busy === "sending" ? <Spinner size={14} /> : <Icon name="arrowUp" />}
            </button>
          </>
        }
        field={field}
        hint={hints.line}
        images={images}
        label={text.composer.label}
        onImages={setImages}
        onKey={(event) => {
          const { key, shiftKey, ctrlKey, metaKey } = event;
          const action = composerAction(
            { key, shiftKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing },
            { isExecuting, isAsked },
          );
          if (action === "none") return;
          event.preventDefault();
          if (action === "stop") stop();
          else if (action === "leave") field.current?.blur();
          else send({ steer: action === "steer" });
        }}
        onProblem={setError}
        onText={setDraft}
        place={place}
        placeholder={hints.placeholder}
        sent={sent}
        text={draft}
      />
    </div>
  );
}
