import type { QueuedMessage, QueuedMessageId, QueuePause } from "@skein/contracts";
import { useRef, useState } from "react";
import { api } from "../api/api.ts";
import { attemptApi } from "../api/attempt-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { ByName } from "../team/by-name.tsx";
import { useReadOnlyPlace } from "../team/read-only-place.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { toDrop, toMove } from "./queue-order.ts";
import { QueuePauseBar } from "./queue-pause-bar.tsx";
import { type GripHandlers, useQueueDrag } from "./use-queue-drag.ts";

export interface QueueListProps {
  queue: readonly QueuedMessage[];
  pause: QueuePause | null;
  isExecuting: boolean;
  onResumed(): void;
}

/** What waits, in the order in which it will be sent; moved at its grip, by drag or arrow key. */
export function QueueList({ queue, pause, isExecuting, onResumed }: QueueListProps) {
  const text = useTaskText();
  const describe = useErrorText();
  const [error, setError] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const isReadOnly = useReadOnlyPlace();
  const order = queue.filter(({ steer }) => !steer).map(({ id }) => id);
  const move = (id: QueuedMessageId, before: QueuedMessageId | null | undefined) => {
    if (before === undefined) return;
    setError(null);
    attemptApi.moveQueued(id, before).catch((failure: unknown) => setError(describe(failure)));
  };
  const { drag, toGripHandlers } = useQueueDrag({ list, order, onDrop: ({ id, above }) => move(id, toDrop(order, id, above)) });
  const others = order.filter((id) => id !== drag?.id);
  if (queue.length === 0) return null;
  return (
    <section aria-label={text.queue.title(queue.length)} className="mb-2 rounded-xl border border-line bg-sunken px-3 py-2">
      {pause && !isReadOnly && <QueuePauseBar isExecuting={isExecuting} onResumed={onResumed} pause={pause} queue={queue} />}
      <h2 className="font-medium text-ink-faint text-xs">{text.queue.title(queue.length)}</h2>
      <ol className="scroll-quiet -mx-1 mt-0.5 max-h-40 space-y-0.5 overflow-y-auto p-1" ref={list}>
        {queue.map((message) => (
          <QueuedItem
            dropLine={drag === null ? null : toDropLine(others, message.id, drag.above)}
            grip={order.length > 1 && !message.steer && !isReadOnly ? toGripHandlers(message.id) : null}
            key={message.id}
            lifted={drag?.id === message.id}
            message={message}
            onMove={(by) => move(message.id, toMove(order, message.id, by))}
          />
        ))}
      </ol>
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}

/** Where the line is drawn that shows where what is held will go: above a message, or below the last. */
function toDropLine(others: readonly QueuedMessageId[], id: QueuedMessageId, above: number): "above" | "below" | null {
  if (others[above] === id) return "above";
  return above === others.length && others.at(-1) === id ? "below" : null;
}

interface QueuedItemProps {
  message: QueuedMessage;
  /** Null where it cannot be moved. */
  grip: GripHandlers | null;
  lifted: boolean;
  dropLine: "above" | "below" | null;
  onMove(by: 1 | -1): void;
}

function QueuedItem({ message, grip, lifted, dropLine, onMove }: QueuedItemProps) {
  const text = useTaskText();
  const isReadOnly = useReadOnlyPlace();
  const describe = useErrorText();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const attempt = (action: Promise<unknown>) => action.then(() => setDraft(null)).catch((failure: unknown) => setError(describe(failure)));
  const save = () => draft !== null && draft.trim() !== "" && void attempt(api.updateQueued(message.id, draft));
  return (
    <li className={`relative ${lifted ? "opacity-50" : ""}`} data-queued={grip ? message.id : undefined}>
      {dropLine && (
        <span
          aria-hidden="true"
          className={`absolute inset-x-0 z-10 h-0.5 rounded-full bg-accent ${dropLine === "above" ? "top-0" : "bottom-0"}`}
          data-drop-line=""
        />
      )}
      {draft === null ? (
        <div className="flex items-center gap-1">
          {grip && (
            <IconButton
              {...grip}
              className={`touch-none ${lifted ? "cursor-grabbing" : "cursor-grab"}`}
              label={text.taskPage.composer.moveQueued}
              onKeyDown={(event) => {
                grip.onKeyDown(event);
                const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
                if (by === undefined) return;
                event.preventDefault();
                onMove(by);
              }}
            >
              <Icon name="grip" size={14} />
            </IconButton>
          )}
          <span className="min-w-0 flex-1 truncate text-sm">{message.message}</span>
          <ByName by={message.by} className="shrink-0 text-ink-faint text-xs" />
          {message.steer && <span className="shrink-0 rounded bg-accent-wash px-1.5 text-accent text-xs">{text.queue.steer}</span>}
          {!message.steer && !isReadOnly && (
            <>
              <IconButton label={text.queue.edit} onClick={() => setDraft(message.message)}>
                <Icon name="edit" size={14} />
              </IconButton>
              <IconButton label={text.queue.remove} onClick={() => void attempt(api.deleteQueued(message.id))}>
                <Icon name="cross" size={14} />
              </IconButton>
            </>
          )}
        </div>
      ) : (
        <div className="flex items-end gap-1.5 py-1">
          <textarea
            aria-label={text.queue.edit}
            // biome-ignore lint/a11y/noAutofocus: it appears because the user asked for it
            autoFocus
            className="field-sizing-content max-h-32 min-w-0 flex-1 resize-none rounded-md border border-line-strong bg-canvas px-2 py-1 text-sm"
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") setDraft(null);
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
                event.preventDefault();
                save();
              }
            }}
            value={draft}
          />
          <Button onClick={save}>{text.app.save}</Button>
        </div>
      )}
      {error && <ErrorText>{error}</ErrorText>}
    </li>
  );
}
