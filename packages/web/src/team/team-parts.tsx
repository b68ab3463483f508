import { type ReactNode, useEffect, useId, useRef } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { fieldClass } from "../ui/field.tsx";

/** A part of a settings section. */
export function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-line border-t pt-5 first:border-t-0 first:pt-0">
      <h3 className="font-semibold text-sm" id={id}>
        {title}
      </h3>
      {text !== undefined && <p className="mt-1 text-ink-soft text-sm">{text}</p>}
      <div className="mt-3 space-y-3">{children}</div>
    </section>
  );
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul className="divide-y divide-line rounded-lg border border-line empty:hidden">{children}</ul>;
}

/** A name, what is known about it, and what can be done with it. */
export function Row({ name, badges, facts, children }: { name: string; badges?: ReactNode; facts: string; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2 text-sm">
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{name}</span>
          {badges}
        </p>
        <p className="text-ink-faint text-xs [overflow-wrap:anywhere]">{facts}</p>
      </div>
      {children && <div className="ms-auto flex flex-wrap items-center gap-2">{children}</div>}
    </li>
  );
}

export function Badge({ tone = "plain", children }: { tone?: "plain" | "good" | "warn"; children: ReactNode }) {
  const look = { plain: "bg-active text-ink-soft", good: "bg-good-wash text-good", warn: "bg-warn-wash text-warn" }[tone];
  return <span className={`rounded px-1.5 text-xs ${look}`}>{children}</span>;
}

/** A choice in a row, where there is no room for a label above it. */
export function RowSelect(props: {
  label: string;
  value: string;
  disabled?: boolean;
  options: readonly { value: string; label: string }[];
  onChange(value: string): void;
}) {
  return (
    <select
      aria-label={props.label}
      className="h-8 pointer-coarse:h-11 rounded-md border border-line-strong bg-canvas px-2 text-sm"
      disabled={props.disabled}
      onChange={(event) => props.onChange(event.target.value)}
      value={props.value}
    >
      {props.options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** A secret that the server does not send again. */
export function ShownOnce({ text, label, copyLabel, value }: { text: string; label: string; copyLabel: string; value: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <div className="space-y-2 rounded-lg border border-good/50 bg-good-wash p-3" role="status">
      <p className="text-good text-sm">{text}</p>
      <div className="flex items-center gap-1">
        <input aria-label={label} className={`${fieldClass} font-mono`} dir="ltr" readOnly ref={field} value={value} />
        <CopyButton label={copyLabel} text={value} />
      </div>
    </div>
  );
}
