export const messageFieldClass =
  "field-sizing-content max-h-48 min-h-16 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint";
