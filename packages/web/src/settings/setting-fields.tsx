import { type ReactNode, useId, useState } from "react";
import { useSettingsText } from "../i18n/settings-text.ts";
import { ErrorText } from "../ui/error-text.tsx";

/** What a setting does, its default, and when a change counts. */
export function SettingNote({ effect, fallback, when, id }: { effect: string; fallback: string; when: "now" | "next"; id?: string }) {
  const words = useSettingsText().shell.settings.conversations;
  return (
    <p className="mt-1 text-ink-faint text-xs" id={id}>
      {words.sentences(effect, words.isDefault(fallback), words.when[when])}
    </p>
  );
}

export interface NumberSettingProps {
  label: string;
  note: ReactNode;
  value: number | null;
  min: number;
  max: number;
  /** Shown in the empty field; without it a number is required. */
  emptyLabel?: string;
  disabled?: boolean;
  /** A fraction may be entered. */
  isFraction?: boolean;
  onChange(value: number | null): void;
}

/** A number, saved when the field is left or Enter is pressed; Escape restores the old one. */
export function NumberSetting(props: NumberSettingProps) {
  const { label, note, value, min, max, emptyLabel, disabled = false, isFraction = false, onChange } = props;
  const words = useSettingsText().shell.settings.conversations;
  const id = useId();
  const saved = value === null ? "" : String(value);
  const [draft, setDraft] = useState<string | null>(null);
  const shown = draft ?? saved;
  const parsed = shown.trim() === "" ? null : Number(shown);
  const isValid =
    parsed === null
      ? emptyLabel !== undefined
      : (isFraction ? Number.isFinite(parsed) : Number.isInteger(parsed)) && parsed >= min && parsed <= max;
  const commit = () => {
    if (!isValid) return;
    setDraft(null);
    if (parsed !== value) onChange(parsed);
  };
  return (
    <div>
      <label className="mb-1 block font-medium text-sm" htmlFor={id}>
        {label}
      </label>
      <input
        aria-describedby={isValid ? `${id}-note` : `${id}-error`}
        aria-invalid={!isValid}
        className="h-9 pointer-coarse:h-11 w-32 rounded-md border border-line-strong bg-canvas px-2.5 text-sm tabular-nums placeholder:text-ink-faint"
        disabled={disabled}
        id={id}
        inputMode={isFraction ? "decimal" : "numeric"}
        onBlur={commit}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key === "Escape") setDraft(null);
        }}
        placeholder={emptyLabel}
        value={shown}
      />
      {!isValid && <ErrorText id={`${id}-error`}>{words.range(String(min), String(max))}</ErrorText>}
      <div id={`${id}-note`}>{note}</div>
    </div>
  );
}
