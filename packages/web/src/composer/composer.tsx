import type { ImagePart, TaskId } from "@skein/contracts";
import { imageLimits } from "@skein/engine";
import { type RefObject, useCallback, useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import type { FilePlace } from "../api/attempt-api.ts";
import type { SendOptions } from "../conversation/conversation-session.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { AttachedImages } from "./attached-images.tsx";
import { CompletionList, optionId } from "./completion-list.tsx";
import { type QueueFacts, toComposerHints } from "./composer-hints.ts";
import { composerAction } from "./composer-keys.ts";
import { createDraftStore } from "./draft-store.ts";
import { acceptedImages, maxImages, readImage } from "./read-image.ts";
import { readTextFile } from "./read-text-file.ts";
import { useTextField } from "./use-text-field.ts";

export interface ComposerHandle {
  focus(): void;
  setMessage(text: string, images?: readonly ImagePart[]): void;
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
  /** What waits to be sent. */
  queue: QueueFacts;
  /** Rejects when the message could not be taken; then the text stays. */
  onSend(text: string, images: readonly ImagePart[], options: SendOptions): Promise<void>;
  onStop(): Promise<void>;
  handle: RefObject<ComposerHandle | null>;
  placeholder?: string;
}

const drafts = createDraftStore(globalThis.localStorage);

export function Composer({ taskId, place, sent, isExecuting, queue, onSend, onStop, handle, placeholder }: ComposerProps) {
  const text = useText();
  const format = useFormats();
  const describe = useErrorText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraftState] = useState(() => drafts.read(taskId));
  const picker = useRef<HTMLInputElement>(null);
  const [images, setImages] = useState<readonly ImagePart[]>([]);
  const [busy, setBusy] = useState<"sending" | "stopping" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const listId = useId();
  const setDraft = useCallback(
    (value: string) => {
      setDraftState(value);
      drafts.write(taskId, value);
    },
    [taskId],
  );
  const entry = useTextField({ field, place, sent, text: draft, onText: setDraft });
  useImperativeHandle(handle, () => ({
    focus: () => field.current?.focus(),
    setMessage: (value, attached = []) => {
      setDraft(value);
      setImages(attached);
      field.current?.focus();
    },
    giveBack: (value, attached, failure) => {
      setDraft([value, field.current?.value ?? ""].filter(Boolean).join("\n\n"));
      setImages((since) => [...attached, ...since].slice(0, maxImages));
      setError(describe(failure));
    },
  }));
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
  /** Images are sent next to the text, texts within it. */
  const attach = async (files: readonly File[]) => {
    const read = await Promise.all(
      files.map(async (file) => (file.type.startsWith("image/") ? { image: await readImage(file) } : { text: await readTextFile(file) })),
    );
    const good = read.flatMap(({ image }) => (image?.kind === "image" ? [image.image] : []));
    const large = read.map(({ image }) => image).find((image) => image?.kind === "too-large");
    const all = [...images, ...good].slice(0, maxImages);
    const texts = read.flatMap(({ text: quoted }) => quoted ?? []);
    setImages(all);
    if (texts.length > 0) setDraft([field.current?.value ?? "", ...texts].filter(Boolean).join("\n"));
    const { badFile, largeImage } = text.taskPage.composer;
    if (large) setError(largeImage(format.number(large.width), format.number(large.height), format.number(imageLimits.agentEdge)));
    else setError(all.length - images.length + texts.length < read.length ? badFile : null);
  };
  const empty = draft.trim() === "" && images.length === 0;
  const send = (options: SendOptions = {}) => {
    const message = draft;
    if (empty || busy === "sending") return;
    setDraft("");
    setImages([]);
    entry.reset();
    void attempt(
      "sending",
      () => onSend(message, images, options),
      () => {
        setDraft(message);
        setImages(images);
      },
    );
  };
  const hints = toComposerHints({ isExecuting, queue }, text);
  const stop = () => busy !== "stopping" && void attempt("stopping", onStop);

  return (
    <div>
      {error && (
        <div className="mb-2">
          <ErrorText>{error}</ErrorText>
        </div>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is beside pasting and the button */}
      <div
        className="relative rounded-2xl border border-line-strong bg-raised shadow-xs focus-within:border-accent"
        onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void attach([...event.dataTransfer.files]);
        }}
      >
        {entry.kind !== null && entry.options.length > 0 && (
          <CompletionList active={entry.active} id={listId} kind={entry.kind} onChoose={entry.complete} options={entry.options} />
        )}
        <span className="sr-only" role="status">
          {entry.options.length > 0 && text.taskPage.composer.suggestions(entry.options.length)}
        </span>
        <AttachedImages images={images} onRemove={(index) => setImages(images.filter((_, other) => other !== index))} />
        <textarea
          aria-activedescendant={entry.options.length > 0 ? optionId(listId, entry.active) : undefined}
          aria-autocomplete="list"
          aria-controls={entry.options.length > 0 ? listId : undefined}
          aria-label={text.composer.label}
          className="field-sizing-content block max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none placeholder:text-ink-faint"
          maxLength={1_000_000}
          onBlur={entry.reset}
          onChange={({ target }) => entry.onType(target.value, target.selectionStart)}
          onKeyDown={(event) => {
            if (entry.onKey(event)) return event.preventDefault();
            const { key, shiftKey, ctrlKey, metaKey } = event;
            const action = composerAction({ key, shiftKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing }, { isExecuting });
            if (action === "none") return;
            event.preventDefault();
            if (action === "stop") stop();
            else send({ steer: action === "steer" });
          }}
          onSelect={({ currentTarget: { value, selectionStart } }) => entry.onCaret(value, selectionStart)}
          onPaste={(event) => {
            const files = [...event.clipboardData.files];
            if (files.length === 0) return;
            event.preventDefault();
            void attach(files);
          }}
          placeholder={isExecuting ? hints.placeholder : (placeholder ?? hints.placeholder)}
          ref={field}
          rows={1}
          value={draft}
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <input
            accept={acceptedImages}
            className="hidden"
            multiple
            onChange={(event) => {
              void attach([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
            ref={picker}
            type="file"
          />
          <IconButton label={text.composer.attachImage} onClick={() => picker.current?.click()}>
            <Icon name="image" />
          </IconButton>
          <p aria-hidden="true" className="min-w-0 flex-1 truncate text-ink-faint text-xs pointer-coarse:invisible">
            {hints.line}
          </p>
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
        </div>
      </div>
    </div>
  );
}
