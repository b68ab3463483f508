import { useEffect, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export interface CopyButtonProps {
  text: string | (() => string);
  /** “Copy” when left out. */
  label?: string;
  icon?: IconName;
  iconSize?: number;
  className?: string;
}

export function CopyButton({ text: content, label, icon = "copy", iconSize = 14, className = "" }: CopyButtonProps) {
  const text = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      className={className}
      label={copied ? text.app.copied : (label ?? text.app.copy)}
      onClick={() => void navigator.clipboard?.writeText(typeof content === "string" ? content : content()).then(() => setCopied(true))}
    >
      <Icon name={copied ? "check" : icon} size={iconSize} />
    </IconButton>
  );
}
