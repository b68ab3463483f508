import type { ConversationMessage } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { useConversationPlace } from "./conversation-place.tsx";
import { toResend } from "./find-last-rewind.ts";
import { rewindRequest } from "./rewind-request.ts";
import { toMarkdown } from "./to-markdown.ts";

export interface MessageActionsProps {
  message: ConversationMessage;
  /** The message started an execution. */
  canResend?: boolean;
  className?: string;
}

/** Copies a message or its address, or sends an edited one again. Visible while the message is hovered or has the focus. */
export function MessageActions({ message, canResend = false, className = "" }: MessageActionsProps) {
  const { message: text, rewind } = useTaskText().taskPage;
  const isReadOnly = useReadOnlyPlace();
  const resend = canResend && !isReadOnly ? toResend(message) : undefined;
  const place = useConversationPlace();
  return (
    <span
      className={`flex items-center opacity-0 focus-within:opacity-100 group-focus-within/message:opacity-100 group-hover/message:opacity-100 ${className}`}
    >
      <CopyButton className="size-6!" iconSize={13} label={text.copy} text={() => toMarkdown(message)} />
      {resend && (
        <IconButton className="size-6!" label={rewind.resend} onClick={() => rewindRequest.set(resend)}>
          <Icon name="edit" size={13} />
        </IconButton>
      )}
      {place && <CopyButton className="size-6!" icon="link" iconSize={13} label={text.copyLink} text={() => place.linkTo(message.id)} />}
    </span>
  );
}

/** The actions of a tool card. A constant, so that a memoized card is not drawn again because of it. */
export const renderToolActions = (message: ConversationMessage) => <MessageActions className="-mt-1" message={message} />;
