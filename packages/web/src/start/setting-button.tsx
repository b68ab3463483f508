import type { ComponentProps } from "react";
import { useText } from "../i18n/locale.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";

/** A button of the bar below a composer: what is set, and on click what else it can be. */
export function SettingButton({
  icon,
  label,
  value,
  className = "",
  ...props
}: ComponentProps<"button"> & { icon: IconName; label: string; value: string }) {
  const { app } = useText();
  return (
    <button
      {...props}
      aria-label={app.labelled(label, value)}
      className={`flex h-7 pointer-coarse:h-10 min-w-0 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink ${className}`}
      type="button"
    >
      <Icon name={icon} size={13} />
      <span className="min-w-0 truncate">{value}</span>
      <Icon name="chevronDown" size={11} />
    </button>
  );
}
