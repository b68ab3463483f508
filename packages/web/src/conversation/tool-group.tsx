import type { ToolExecutionMessage } from "@skein/contracts";
import { useId, useMemo } from "react";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { ToolCard } from "../tools/tool-card.tsx";
import { useAnyDisclosed, useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { toToolGroupView } from "./group-small-tools.ts";
import { renderToolActions } from "./message-actions.tsx";

/** One line for many small tool calls, which expands to their cards. Failures are counted on the line itself. */
export function ToolGroup({ groupKey, messages }: { groupKey: string; messages: readonly ToolExecutionMessage[] }) {
  const text = useTaskText();
  const format = useFormats();
  const view = useMemo(() => toToolGroupView(messages), [messages]);
  // A card that someone opened does not vanish when the next one makes it part of a group.
  const anyOpen = useAnyDisclosed(useMemo(() => messages.map(({ id }) => id), [messages]));
  const [open, setOpen] = useDisclosure(groupKey, anyOpen);
  const bodyId = useId();
  const { counts } = view;
  const parts = [
    counts.read > 0 && text.taskPage.group.read(counts.read),
    counts.search > 0 && text.taskPage.group.search(counts.search),
    counts.list > 0 && text.taskPage.group.list(counts.list),
  ].filter((part) => part !== false);
  const title = parts.join(text.taskPage.group.separator);
  return (
    <section aria-label={title} data-group-size={messages.length}>
      <button
        aria-controls={bodyId}
        aria-expanded={open}
        className="group flex min-h-8 pointer-coarse:min-h-11 w-full items-center gap-2 rounded-md px-2 text-start text-sm hover:bg-hover"
        onClick={() => setOpen(!open)}
        type="button"
      >
        <span className="text-ink-faint">
          {view.running === null ? <Icon name="layers" size={15} /> : <Spinner className="text-accent" size={15} />}
        </span>
        <span className="shrink-0 text-ink-soft first-letter:uppercase group-hover:text-ink">{title}</span>
        {view.running !== null && <span className="min-w-0 truncate text-ink-faint">{text.tool.summary(view.running)}</span>}
        <span className="ms-auto flex shrink-0 items-center gap-2 ps-2 text-xs">
          {view.failed > 0 && (
            <span className="flex items-center gap-1 font-medium text-bad">
              <Icon name="cross" size={13} />
              {text.taskPage.group.failed(view.failed)}
            </span>
          )}
          {view.durationMs !== null && <span className="text-ink-faint tabular-nums">{format.duration(view.durationMs)}</span>}
          <Chevron open={open} />
        </span>
      </button>
      {open && (
        <div className="ms-4 border-line border-s ps-1" id={bodyId}>
          {messages.map((message) => (
            <ToolCard key={message.id} message={message} renderActions={renderToolActions} />
          ))}
        </div>
      )}
    </section>
  );
}
