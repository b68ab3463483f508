import type { ComponentProps } from "react";

const looks = {
  primary: "bg-accent text-accent-ink focus-visible:outline-offset-1 hover:bg-accent-strong disabled:bg-active disabled:text-ink-faint",
  secondary: "border border-line-strong bg-raised text-ink hover:bg-hover disabled:text-ink-faint",
  quiet: "text-ink-soft hover:bg-hover hover:text-ink disabled:text-ink-faint",
  danger: "border border-line-strong text-bad hover:bg-bad-wash",
} as const;

/** At least 28 pixels high, 44 on touch screens. */
export const buttonClass = (look: keyof typeof looks, extra = ""): string =>
  `inline-flex h-8 pointer-coarse:h-11 items-center justify-center gap-1.5 rounded-md px-3 font-medium text-sm whitespace-nowrap select-none transition-colors disabled:cursor-not-allowed ${looks[look]} ${extra}`;

export function Button({
  look = "secondary",
  className = "",
  type = "button",
  ...props
}: ComponentProps<"button"> & { look?: keyof typeof looks }) {
  return <button {...props} className={buttonClass(look, className)} type={type} />;
}

/** A button that is only an icon: its label is read aloud and shown as its title. */
export function IconButton({ label, className = "", type = "button", ...props }: ComponentProps<"button"> & { label: string }) {
  return (
    <button
      title={label}
      {...props}
      aria-label={label}
      className={`inline-flex size-7 pointer-coarse:size-11 shrink-0 items-center justify-center rounded-md text-ink-soft transition-colors hover:bg-hover hover:text-ink disabled:text-ink-faint disabled:hover:bg-transparent ${className}`}
      type={type}
    />
  );
}
