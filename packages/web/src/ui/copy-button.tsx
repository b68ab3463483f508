import { useEffect, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "./button.tsx";
import { Icon } from "./icon.tsx";

export function CopyButton({ text: content, className = "" }: { text: string | (() => string); className?: string }) {
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
      label={copied ? text.app.copied : text.app.copy}
      onClick={() => void navigator.clipboard?.writeText(typeof content === "string" ? content : content()).then(() => setCopied(true))}
    >
      <Icon name={copied ? "check" : "copy"} size={14} />
    </IconButton>
  );
}
