import type { ImagePart } from "@skein/contracts";
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import type { FilePlace } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { AttachedImages } from "./attached-images.tsx";
import { CompletionList, optionId } from "./completion-list.tsx";
import { acceptedImages } from "./read-image.ts";
import { useAttachments } from "./use-attachments.ts";
import { useTextField } from "./use-text-field.ts";

export interface MessageFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  label: string;
  placeholder: string;
  text: string;
  images: readonly ImagePart[];
  onText(text: string): void;
  onImages(images: readonly ImagePart[]): void;
  /** Why a file could not be attached; null when all were. */
  onProblem(problem: string | null): void;
  /** The attempt or project whose files and commands are completed. */
  place: FilePlace;
  /** Sent messages, the newest last. */
  sent: readonly string[];
  /** Keys that neither the completion nor the history takes. */
  onKey(event: KeyboardEvent<HTMLTextAreaElement>): void;
  /** Stands between the text and the buttons. */
  settings?: ReactNode;
  /** What the keys do, in a few words. */
  hint: string;
  /** Next to the hint. */
  buttons: ReactNode;
  roomy?: boolean;
}

/** The field of a message: text with completion and history, and images by paste, drop or button. */
export function MessageField(props: MessageFieldProps) {
  const text = useTaskText();
  const { field, images, onImages, onText } = props;
  const picker = useRef<HTMLInputElement>(null);
  const listId = useId();
  const entry = useTextField({ field, place: props.place, sent: props.sent, text: props.text, onText });
  const attach = useAttachments({ images, readText: () => field.current?.value ?? "", onText, onImages, onProblem: props.onProblem });
  const completions = entry.kind !== null && entry.options.length > 0 && (
    <CompletionList
      active={entry.active}
      id={listId}
      inFlow={props.roomy ?? false}
      kind={entry.kind}
      onChoose={entry.complete}
      options={entry.options}
    />
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pasting and the button do the same as dropping
    <div
      className="relative rounded-2xl border border-line-strong bg-raised shadow-xs focus-within:border-accent"
      onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        void attach([...event.dataTransfer.files]);
      }}
    >
      {!props.roomy && completions}
      <span className="sr-only" role="status">
        {entry.options.length > 0 && text.taskPage.composer.suggestions(entry.options.length)}
      </span>
      <AttachedImages images={images} onRemove={(index) => onImages(images.filter((_, other) => other !== index))} />
      <textarea
        aria-activedescendant={entry.options.length > 0 ? optionId(listId, entry.active) : undefined}
        aria-autocomplete="list"
        aria-controls={entry.options.length > 0 ? listId : undefined}
        aria-label={props.label}
        className={`field-sizing-content block max-h-[40dvh] w-full resize-none bg-transparent px-3.5 pt-3 pb-1 outline-none placeholder:text-ink-faint ${props.roomy ? "min-h-24" : "min-h-11"}`}
        maxLength={1_000_000}
        onBlur={entry.reset}
        onChange={({ target }) => entry.onType(target.value, target.selectionStart)}
        onKeyDown={(event) => {
          if (entry.onKey(event)) return event.preventDefault();
          props.onKey(event);
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void attach(files);
        }}
        onSelect={({ currentTarget: { value, selectionStart } }) => entry.onCaret(value, selectionStart)}
        placeholder={props.placeholder}
        ref={field}
        rows={props.roomy ? 4 : 1}
        value={props.text}
      />
      {props.roomy && completions}
      {props.settings}
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
        <p aria-hidden="true" className="min-w-0 flex-1 truncate text-ink-faint text-xs max-sm:invisible pointer-coarse:invisible">
          {props.hint}
        </p>
        {props.buttons}
      </div>
    </div>
  );
}
