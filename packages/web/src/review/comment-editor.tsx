import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { useAction } from "../ui/use-action.ts";
import { useReviewText } from "./use-review-text.ts";

export interface CommentEditorProps {
  label: string;
  initialText: string;
  saveLabel: string;
  onChange?: (text: string) => void;
  onSave(text: string): Promise<unknown>;
  /** After saving and after Escape. */
  onClose(): void;
}

/** A field below a line. Ctrl or ⌘+Enter saves, Escape closes. */
export function CommentEditor({ label, initialText, saveLabel, onChange, onSave, onClose }: CommentEditorProps) {
  const words = useReviewText();
  const { app } = useText();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initialText);
  const { busy, error, run } = useAction();
  useEffect(() => field.current?.focus(), []);
  const close = () => {
    returnFocus(field.current);
    onClose();
  };
  const save = () =>
    run(async () => {
      await onSave(text.trim());
      close();
    });
  const canSave = text.trim() !== "" && !busy;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isSave = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSave && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (!isSave) close();
    else if (canSave) void save();
  };
  return (
    <div className="space-y-2 rounded-lg border border-line-strong bg-raised p-2 text-sm">
      <textarea
        aria-label={label}
        className="block min-h-20 w-full resize-y rounded-md border border-line bg-code px-2 py-1.5 text-sm"
        onChange={(event) => {
          setText(event.target.value);
          onChange?.(event.target.value);
        }}
        onKeyDown={onKeyDown}
        placeholder={words.placeholder}
        ref={field}
        value={text}
      />
      {error && <ErrorText>{error}</ErrorText>}
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-48 text-ink-faint text-xs">
          {label}. {words.keys}
        </p>
        <div className="ms-auto flex gap-2">
          <Button look="quiet" onClick={close}>
            {app.cancel}
          </Button>
          <Button disabled={!canSave} look="primary" onClick={() => void save()}>
            {saveLabel}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** To the line above, or to the header of the file. */
function returnFocus(from: HTMLElement | null): void {
  let row = from?.closest("tr")?.previousElementSibling;
  while (row && !row.hasAttribute("data-line")) row = row.previousElementSibling;
  const next = row ?? from?.closest("article")?.querySelector("button");
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}
