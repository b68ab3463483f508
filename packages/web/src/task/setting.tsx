import type { ComponentProps } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";

/** The button of a menu in the bar below the composer: what is chosen now. */
export function Setting({
  icon,
  label,
  value,
  className = "",
  ...props
}: ComponentProps<"button"> & { icon: IconName; label: string; value: string }) {
  return (
    <button
      {...props}
      aria-label={`${label}: ${value}`}
      className={`flex h-7 pointer-coarse:h-10 min-w-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink ${className}`}
      type="button"
    >
      <Icon name={icon} size={13} />
      <span className="truncate">{value}</span>
      <Icon name="chevronDown" size={11} />
    </button>
  );
}
