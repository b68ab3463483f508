import type { ConversationMessage } from "@skein/contracts";
import { useEffect, useState } from "react";
import { useText } from "../i18n/locale.tsx";
import { IconButton } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useConversationPlace } from "./conversation-place.tsx";
import { toMarkdown } from "./to-markdown.ts";

/** Copies a message, or its address. Out of the way until a pointer or the focus is at the message. */
export function MessageActions({ message, className = "" }: { message: ConversationMessage; className?: string }) {
  const { message: text } = useText().taskPage;
  const place = useConversationPlace();
  return (
    <span
      className={`flex items-center opacity-0 focus-within:opacity-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 ${className}`}
    >
      <CopyAction icon="copy" label={text.copy} read={() => toMarkdown(message)} />
      {place && <CopyAction icon="link" label={text.copyLink} read={() => place.linkTo(message.id)} />}
    </span>
  );
}

function CopyAction({ icon, label, read }: { icon: IconName; label: string; read(): string }) {
  const text = useText();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      className="size-6!"
      label={copied ? text.app.copied : label}
      onClick={() => void navigator.clipboard?.writeText(read()).then(() => setCopied(true))}
    >
      <Icon name={copied ? "check" : icon} size={13} />
    </IconButton>
  );
}
