import { type ReactNode, useId } from "react";
import { ErrorText } from "./error-text.tsx";

/** The look of a field of one line. */
export const fieldClass =
  "h-9 pointer-coarse:h-11 w-full min-w-0 rounded-md border border-line-strong bg-canvas px-2.5 text-sm placeholder:text-ink-faint";

interface FieldProps {
  label: string;
  hint?: string | undefined;
  /** Shown instead of the hint. */
  error?: string | null;
  /** Draws the field itself, with these properties. */
  children(props: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }): ReactNode;
}

/** A field with its label above and a hint or an error below. */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId();
  const hasNote = error !== null || hint !== undefined;
  return (
    <div className="min-w-0">
      <label className="mb-1 block font-medium text-sm" htmlFor={id}>
        {label}
      </label>
      {children({ id, ...(hasNote && { "aria-describedby": `${id}-note` }), ...(error !== null && { "aria-invalid": true }) })}
      {hasNote && (
        <div className="mt-1 text-ink-faint text-xs [overflow-wrap:anywhere]" id={`${id}-note`}>
          {error === null ? hint : <ErrorText>{error}</ErrorText>}
        </div>
      )}
    </div>
  );
}

export interface TextFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** What a password manager fills in. */
  autoComplete?: string;
  type?: "text" | "email" | "password";
  hint?: string | undefined;
  required?: boolean;
  readOnly?: boolean;
  autoFocus?: boolean;
  maxLength?: number;
  placeholder?: string;
  /** For names of machines and keys. */
  isCode?: boolean;
}

/** A field for one line of text. */
export function TextField({ label, onChange, hint, type = "text", maxLength = 100, isCode = false, ...props }: TextFieldProps) {
  const look = isCode ? "font-mono placeholder:font-sans" : "read-only:bg-sunken read-only:text-ink-soft";
  return (
    <Field hint={hint} label={label}>
      {(field) => (
        <input
          {...props}
          {...field}
          className={`${fieldClass} ${look}`}
          maxLength={maxLength}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          type={type}
        />
      )}
    </Field>
  );
}
