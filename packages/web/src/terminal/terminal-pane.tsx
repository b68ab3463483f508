import { memo, useDeferredValue, useMemo, useRef } from "react";
import { useFollowEnd } from "../conversation/use-follow-end.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { OutputText } from "../tools/renderers/output-text.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { LongText } from "../ui/long-text.tsx";
import { type TerminalCommand, toCommands } from "./to-commands.ts";

export interface TerminalPaneProps {
  conversation: TaskConversation;
  onReveal(messageId: string): void;
}

/** Everything that the agent ran, in order, as if it had been typed. Follows the running command. */
export function TerminalPane({ conversation, onReveal }: TerminalPaneProps) {
  const { terminal: text } = useTaskText().taskPage;
  const scroller = useRef<HTMLDivElement>(null);
  // Typing does not wait for it.
  const messages = useDeferredValue(conversation.messages);
  const commands = useMemo(() => toCommands(messages), [messages]);
  const { onScroll } = useFollowEnd(scroller, commands, { reachesEnd: true });
  return (
    <DisclosureProvider>
      <div
        className="scroll-quiet h-full overflow-y-auto bg-code px-3 py-2"
        onScroll={onScroll}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        {conversation.hasMore && !conversation.isDetached && (
          <Button className="mb-2" disabled={conversation.loadingOlder} look="quiet" onClick={() => void conversation.loadOlder()}>
            {conversation.loadingOlder && <Spinner size={13} />}
            {text.older}
          </Button>
        )}
        {commands.length === 0 && <p className="py-12 text-center text-ink-faint text-sm">{text.none}</p>}
        <ol className="space-y-3">
          {commands.map((command) => (
            <Command command={command} key={command.messageId} onReveal={onReveal} />
          ))}
        </ol>
      </div>
    </DisclosureProvider>
  );
}

/** Of one command. */
const commandPart = { characters: 4000, lines: 60 };

const Command = memo(
  function Command({ command, onReveal }: { command: TerminalCommand; onReveal(messageId: string): void }) {
    const text = useTaskText();
    const format = useFormats();
    const failed = command.state !== "running" && command.state !== "completed";
    return (
      <li className="group/command">
        <div className="flex items-start gap-2 font-mono text-[0.8rem] leading-[1.5]">
          <span aria-hidden="true" className={failed ? "text-bad" : "text-good"}>
            {command.state === "running" ? <Spinner className="mt-1 text-accent" size={12} /> : "$"}
          </span>
          <code className="min-w-0 flex-1 whitespace-pre-wrap font-semibold [overflow-wrap:anywhere]">
            <LongText id={`terminal:${command.messageId}:command`} part={commandPart} text={command.command} />
          </code>
          <span className="flex shrink-0 items-center gap-2 font-sans text-ink-faint text-xs">
            {failed && (
              <span className="text-bad">
                {command.exitCode === null ? text.tool.state[command.state] : text.tool.exitCode(command.exitCode)}
              </span>
            )}
            {command.durationMs !== null && <span className="tabular-nums">{format.duration(command.durationMs)}</span>}
            <IconButton className="size-5!" label={text.taskPage.terminal.reveal} onClick={() => onReveal(command.messageId)}>
              <Icon name="link" size={12} />
            </IconButton>
          </span>
        </div>
        {command.output !== "" && (
          <div className="-mx-3">
            <OutputText id={`terminal:${command.messageId}`} text={command.output} />
          </div>
        )}
      </li>
    );
  },
  (before, after) => before.command.revision === after.command.revision && before.command.messageId === after.command.messageId,
);
