/** Feedback on a plan, or the plan itself. Ctrl or ⌘ with Enter sends it; Escape closes the field if nothing would be lost. */
export function PlanField(props: {
  label: string;
  value: string;
  rows: number;
  placeholder?: string;
  onChange(value: string): void;
  onSubmit(): void;
  onCancel(): void;
}) {
  return (
    <textarea
      aria-label={props.label}
      // biome-ignore lint/a11y/noAutofocus: it appears because the user asked for it
      autoFocus
      className="block w-full rounded-lg border border-line-strong bg-canvas px-3 py-2 font-mono text-[0.8rem] leading-5 placeholder:font-sans placeholder:text-ink-faint"
      maxLength={100_000}
      onChange={(event) => props.onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) props.onSubmit();
        if (event.key === "Escape") props.onCancel();
      }}
      placeholder={props.placeholder}
      rows={props.rows}
      value={props.value}
    />
  );
}
