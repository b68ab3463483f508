import type { ConversationMessage } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useConversationPlace } from "./conversation-place.tsx";
import { toMarkdown } from "./to-markdown.ts";

/** Copies a message or its address. Visible while the message is hovered or has the focus. */
export function MessageActions({ message, className = "" }: { message: ConversationMessage; className?: string }) {
  const { message: text } = useText().taskPage;
  const place = useConversationPlace();
  return (
    <span
      className={`flex items-center opacity-0 focus-within:opacity-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 ${className}`}
    >
      <CopyButton className="size-6!" iconSize={13} label={text.copy} text={() => toMarkdown(message)} />
      {place && <CopyButton className="size-6!" icon="link" iconSize={13} label={text.copyLink} text={() => place.linkTo(message.id)} />}
    </span>
  );
}

/** The actions of a tool card. A constant, so that a memoized card is not drawn again because of it. */
export const renderToolActions = (message: ConversationMessage) => <MessageActions className="-mt-1" message={message} />;
