import type { ImagePart, TaskId } from "@skein/contracts";
import { type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { SendOptions } from "../conversation/conversation-session.ts";
import { useErrorText } from "../ui/error-text.tsx";
import { type Draft, emptyDraft, giveBackDraft, isEmptyDraft } from "./draft.ts";
import { createDraftStore } from "./draft-store.ts";

export interface ComposerHandle {
  focus(): void;
  setMessage(text: string, images?: readonly ImagePart[]): void;
  /** Sends a text as if it had been typed. When sending fails, it is in the field. */
  send(text: string): void;
  /** Returns a message that could not be sent, with the reason. It is put before what was written since. */
  giveBack(text: string, images: readonly ImagePart[], error: unknown): void;
}

export interface ComposerActions {
  taskId: TaskId;
  /** Rejects when the message was not accepted; the text is then given back. */
  onSend(text: string, images: readonly ImagePart[], options: SendOptions): Promise<void>;
  onStop(): Promise<void>;
  handle: RefObject<ComposerHandle | null>;
}

const drafts = createDraftStore(globalThis.localStorage);

/** The message that is being written, and what can be done with it. Its text is kept in the browser, per task. */
export function useComposer({ taskId, onSend, onStop, handle }: ComposerActions) {
  const describe = useErrorText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraftState] = useState<Draft>(() => ({ ...emptyDraft, text: drafts.read(taskId) }));
  const [busy, setBusy] = useState<"sending" | "stopping" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const latest = useRef(draft);
  const setDraft = useCallback(
    (changes: Partial<Draft>) => {
      latest.current = { ...latest.current, ...changes };
      setDraftState(latest.current);
      if (changes.text !== undefined) drafts.write(taskId, changes.text);
    },
    [taskId],
  );
  // On a touch screen the keyboard would cover the conversation.
  const focusWithoutTouch = useCallback(() => {
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(focusWithoutTouch, [focusWithoutTouch]);

  const run = async (kind: "sending" | "stopping", action: () => Promise<void>, onFailure: () => void = () => {}) => {
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
  const send = (options: SendOptions = {}, text = draft.text) => {
    const message = { ...draft, text };
    if (isEmptyDraft(message) || busy === "sending") return;
    setDraft(emptyDraft);
    void run(
      "sending",
      () => onSend(message.text, message.images, options),
      () => setDraft(message),
    );
  };
  const stop = () => {
    if (busy === "stopping") return;
    // the button is removed, and its focus with it
    focusWithoutTouch();
    void run("stopping", onStop);
  };
  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    setMessage: (text, images = []) => {
      setDraft({ text, images });
      field.current?.focus();
    },
    send: (text) => send({}, text),
    giveBack: (text, images, failure) => {
      setDraft(giveBackDraft(latest.current, { text, images }));
      setError(describe(failure));
    },
  }));
  return { field, draft, setDraft, busy, error, setError, send, stop };
}
