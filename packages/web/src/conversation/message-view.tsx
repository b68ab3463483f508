import type { AttemptId, ConversationMessage } from "@skein/contracts";
import { memo, type ReactNode, useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { ByName } from "../team/by-name.tsx";
import { firstLine } from "../text/first-line.ts";
import { ToolCard } from "../tools/tool-card.tsx";
import { allowImages } from "../ui/allow-images.ts";
import { BoundedImage } from "../ui/bounded-image.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { MessageActions, renderToolActions } from "./message-actions.tsx";
import type { SubagentView } from "./nesting.ts";
import { NoticeLine } from "./notice-line.tsx";
import { SubagentAside } from "./subagent-line.tsx";
import { Summary } from "./summary.tsx";

type MessageOf<Type extends ConversationMessage["messageType"]> = Extract<ConversationMessage, { messageType: Type }>;

export interface MessageViewProps {
  message: ConversationMessage;
  /** The attempt whose compression this message reports and can undo; null for every other message. */
  undoIn: AttemptId | null;
  /** The user's message started an execution: it can be edited and sent again. */
  canResend?: boolean;
  /** What the subagent of this card does and did. */
  subagent?: SubagentView | undefined;
}

export const MessageView = memo(function MessageView({ message, undoIn, canResend = false, subagent }: MessageViewProps) {
  const text = useTaskText();
  switch (message.messageType) {
    case "text":
      return message.role === "user" ? <UserMessage canResend={canResend} message={message} /> : <AssistantMessage message={message} />;
    case "thinking":
      return <Thinking message={message} />;
    case "tool_execution":
    case "tool_use":
    case "tool_result":
      return (
        <ToolCard
          message={message}
          renderActions={renderToolActions}
          {...(subagent === undefined ? {} : { aside: <SubagentAside view={subagent} /> })}
        />
      );
    case "error":
      return (
        <Callout icon="warning" message={message}>
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LongText id={message.id} text={text.coded(message.metadata?.text, message.content)} />
          </p>
          {message.metadata?.hint && (
            <p className="mt-1 whitespace-pre-wrap text-ink-soft">
              <LongText id={`${message.id}:hint`} text={text.coded(message.metadata.hintText, message.metadata.hint)} />
            </p>
          )}
        </Callout>
      );
    case "notice":
      return (
        <Article label={text.conversation.system} message={message}>
          <NoticeLine message={message} />
        </Article>
      );
    case "summary":
      return (
        <Article className="my-3" label={text.conversation.system} message={message}>
          <Summary message={message} undoIn={undoIn} />
        </Article>
      );
    default:
      return message satisfies never;
  }
});

/** What a screen reader and a test find: whose message it is, and which. */
function Article({
  message,
  label,
  children,
  className = "",
}: {
  message: ConversationMessage;
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <article
      aria-label={label}
      className={`group/message relative ${className}`}
      data-message-id={message.id}
      data-role={message.role}
      data-type={message.messageType}
    >
      {children}
    </article>
  );
}

function UserMessage({ message, canResend }: { message: MessageOf<"text">; canResend: boolean }) {
  const text = useTaskText();
  const format = useFormats();
  return (
    <Article className="mt-4 mb-3 flex items-center justify-end gap-1" label={text.conversation.you} message={message}>
      <MessageActions canResend={canResend} message={message} />
      <div className="max-w-[85%] rounded-2xl rounded-ee-md bg-hover px-3.5 py-2" title={format.dateTime(message.timestamp)}>
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          <LongText id={message.id} text={message.content} />
        </p>
        <MessageImages images={message.metadata?.images ?? []} />
        <ByName by={message.metadata?.by} className="mt-0.5 block text-end text-ink-soft text-xs" />
      </div>
    </Article>
  );
}

export function MessageImages({ images }: { images: readonly { mediaType: string; data: string }[] }) {
  const text = useTaskText();
  const allowed = useMemo(() => allowImages(images), [images]);
  if (images.length === 0) return null;
  return (
    <div className="mt-2 flex flex-wrap items-start gap-2">
      {allowed.map(({ image, isAllowed }, index) => (
        <BoundedImage
          alt={text.conversation.imageAlt}
          className="h-auto max-h-48 w-auto rounded-lg"
          image={image}
          isAllowed={isAllowed}
          // biome-ignore lint/suspicious/noArrayIndexKey: images of a message do not change places
          key={index}
        />
      ))}
    </div>
  );
}

function AssistantMessage({ message }: { message: MessageOf<"text"> }) {
  const text = useTaskText();
  return (
    <Article className="px-2 py-2" label={text.conversation.agent} message={message}>
      <Markdown id={message.id} text={message.content} />
      <MessageImages images={message.metadata?.images ?? []} />
      {message.metadata?.interrupted && <BrokenOff />}
      {/* in the margin, so that no word is covered; where there is none, below */}
      <MessageActions className="sm:-end-6 sm:absolute sm:top-0 sm:flex-col max-sm:-mb-2 max-sm:justify-end" message={message} />
    </Article>
  );
}

function BrokenOff() {
  const text = useTaskText();
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-warn text-xs">
      <Icon name="broken" size={13} />
      {text.conversation.interrupted}
    </p>
  );
}

function Thinking({ message }: { message: MessageOf<"thinking"> }) {
  const text = useTaskText();
  const [open, setOpen] = useDisclosure(message.id);
  const streaming = message.metadata?.streaming === true;
  const preview = firstLine(message.content);
  return (
    <Article label={text.conversation.thought} message={message}>
      <button
        aria-expanded={open}
        className="flex min-h-8 pointer-coarse:min-h-11 w-full items-center gap-2 rounded-md px-2 text-start text-ink-faint text-sm hover:bg-hover"
        onClick={() => setOpen(!open)}
        type="button"
      >
        {streaming ? <Spinner size={15} /> : <Icon name="thinking" size={15} />}
        <span className="shrink-0">{streaming ? text.conversation.thinking : text.conversation.thought}</span>
        {!open && <span className="min-w-0 truncate italic">{preview}</span>}
        <Icon className={`ms-auto transition-transform ${open ? "rotate-90" : ""}`} name="chevronRight" size={12} />
      </button>
      {open && (
        <div className="ms-4 mb-2 border-line border-s-2 ps-4 text-ink-soft text-sm">
          <Markdown id={message.id} text={message.content} />
          {message.metadata?.interrupted && <BrokenOff />}
        </div>
      )}
    </Article>
  );
}

function Callout({ message, icon, children }: { message: ConversationMessage; icon: IconName; children: ReactNode }) {
  const text = useTaskText();
  return (
    <Article
      className="my-1.5 flex gap-2 rounded-lg border border-bad/40 bg-bad-wash px-3 py-2 text-bad text-sm"
      label={text.conversation.system}
      message={message}
    >
      <Icon className="mt-0.5" name={icon} size={15} />
      <div className="min-w-0 flex-1">{children}</div>
      <MessageActions className="self-start" message={message} />
    </Article>
  );
}
