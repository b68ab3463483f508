import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";
import { ErrorText } from "./error-text.tsx";

/** A secret that can be set, replaced and removed, and never be read again. */
export function KeyForm(props: {
  label: string;
  /** Whether there is one, and from where. */
  state: ReactNode;
  isSet: boolean;
  /** What it is, or why it is not used. */
  note?: string | undefined;
  words: { placeholder: string; replace: string; save: string; remove: string; removeLabel: string };
  busy: boolean;
  error: string | null;
  /** `done` empties the field: call it when the key is stored. */
  onSave(key: string, done: () => void): void;
  onRemove(): void;
}) {
  const { label, isSet, note, words, busy, error } = props;
  const id = useId();
  const [key, setKey] = useState("");
  const described = [...(error ? [`${id}-error`] : []), ...(note === undefined ? [] : [`${id}-note`])].join(" ");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "" && !busy) props.onSave(key.trim(), () => setKey(""));
      }}
    >
      <div className="mb-1 flex flex-wrap items-center gap-2">
        <label className="font-medium text-sm" htmlFor={id}>
          {label}
        </label>
        {props.state}
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          aria-describedby={described || undefined}
          aria-invalid={error !== null}
          autoComplete="off"
          className="h-9 pointer-coarse:h-11 w-full min-w-0 flex-1 rounded-md border border-line-strong bg-canvas px-2.5 font-mono text-sm placeholder:font-sans placeholder:text-ink-faint"
          id={id}
          maxLength={2000}
          onChange={(event) => setKey(event.target.value)}
          placeholder={isSet ? words.replace : words.placeholder}
          spellCheck={false}
          type="password"
          value={key}
        />
        <Button className="h-9" disabled={busy || key.trim() === ""} type="submit">
          {words.save}
        </Button>
        {isSet && (
          <Button aria-label={words.removeLabel} className="h-9" disabled={busy} look="danger" onClick={props.onRemove}>
            {words.remove}
          </Button>
        )}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {note !== undefined && (
        <p className="mt-1 text-ink-faint text-xs" id={`${id}-note`}>
          {note}
        </p>
      )}
    </form>
  );
}
