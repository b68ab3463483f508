import { useState } from "react";
import { useText } from "../i18n/locale.tsx";

export interface EditableTextProps {
  value: string;
  label: string;
  maxLength: number;
  multiline?: boolean;
  emptyAllowed?: boolean;
  placeholder?: string;
  /** Reports failures itself. */
  onSave(value: string): Promise<void>;
}

/** Text that becomes a field when it is clicked or entered. Enter and blur save, Escape discards. */
export function EditableText({
  value,
  label,
  maxLength,
  multiline = false,
  emptyAllowed = multiline,
  placeholder = "",
  onSave,
}: EditableTextProps) {
  const { app } = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const save = () => {
    const wanted = draft?.trim() ?? value;
    setDraft(null);
    if (wanted !== value && (wanted !== "" || emptyAllowed)) void onSave(wanted);
  };
  if (draft === null) {
    return (
      <button
        aria-label={app.labelled(label, value)}
        className={`w-full rounded-md px-1.5 py-1 text-start hover:bg-hover ${multiline ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "truncate"} ${value ? "" : "text-ink-faint"}`}
        onClick={() => setDraft(value)}
        title={label}
        type="button"
      >
        {value || placeholder}
      </button>
    );
  }
  return (
    <textarea
      aria-label={label}
      // biome-ignore lint/a11y/noAutofocus: the user asked to edit it
      autoFocus
      className="field-sizing-content block max-h-60 w-full resize-none rounded-md border border-line-strong bg-canvas px-1.5 py-1"
      maxLength={maxLength}
      onBlur={save}
      onChange={(event) => setDraft(multiline ? event.target.value : event.target.value.replaceAll("\n", " "))}
      onFocus={(event) => event.currentTarget.select()}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") setDraft(null);
        if (event.key === "Enter" && (!multiline || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          save();
        }
      }}
      rows={1}
      value={draft}
    />
  );
}
