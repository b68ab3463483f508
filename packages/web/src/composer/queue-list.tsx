import type { QueuedMessage, QueuedMessageId } from "@skein/contracts";
import { type DragEvent, useState } from "react";
import { api } from "../api/api.ts";
import { attemptApi } from "../api/attempt-api.ts";
import { useText } from "../i18n/locale.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { toMove } from "./queue-order.ts";

const dragType = "application/x-skein-queued";

/** What waits for the running execution to end, in the order in which it will be sent; moved by drag or by Alt with an arrow key. */
export function QueueList({ queue }: { queue: readonly QueuedMessage[] }) {
  const text = useText();
  const describe = useErrorText();
  const [error, setError] = useState<string | null>(null);
  const movable = queue.filter(({ steer }) => !steer);
  const move = (id: QueuedMessageId, before: QueuedMessageId | null) => {
    setError(null);
    attemptApi.moveQueued(id, before).catch((failure: unknown) => setError(describe(failure)));
  };
  const moveBy = (id: QueuedMessageId, by: 1 | -1) => {
    const next = toMove(
      movable.map((message) => message.id),
      id,
      by,
    );
    if (next !== undefined) move(id, next);
  };
  if (queue.length === 0) return null;
  return (
    <section aria-label={text.queue.title(queue.length)} className="mb-2 rounded-xl border border-line bg-sunken px-3 py-2">
      <h2 className="font-medium text-ink-faint text-xs">{text.queue.title(queue.length)}</h2>
      <ol className="scroll-quiet mt-1 max-h-40 space-y-0.5 overflow-y-auto">
        {queue.map((message) => (
          <QueuedItem
            canMove={movable.length > 1 && !message.steer}
            key={message.id}
            message={message}
            onDropBefore={(id) => id !== message.id && move(id, message.id)}
            onMove={(by) => moveBy(message.id, by)}
          />
        ))}
      </ol>
      {error && <ErrorText>{error}</ErrorText>}
    </section>
  );
}

interface QueuedItemProps {
  message: QueuedMessage;
  canMove: boolean;
  onMove(by: 1 | -1): void;
  onDropBefore(id: QueuedMessageId): void;
}

function QueuedItem({ message, canMove, onMove, onDropBefore }: QueuedItemProps) {
  const text = useText();
  const describe = useErrorText();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const attempt = (action: Promise<unknown>) => action.then(() => setDraft(null)).catch((failure: unknown) => setError(describe(failure)));
  const save = () => draft !== null && draft.trim() !== "" && void attempt(api.updateQueued(message.id, draft));
  const onDragOver = (event: DragEvent) => {
    if (message.steer || !event.dataTransfer.types.includes(dragType)) return;
    event.preventDefault();
  };
  return (
    <li
      draggable={canMove && draft === null}
      onDragOver={onDragOver}
      onDragStart={(event) => event.dataTransfer.setData(dragType, message.id)}
      onDrop={(event) => {
        event.preventDefault();
        onDropBefore(event.dataTransfer.getData(dragType) as QueuedMessageId);
      }}
    >
      {draft === null ? (
        <div className="flex items-center gap-1">
          {canMove && (
            <IconButton
              className="cursor-grab"
              label={text.taskPage.composer.moveQueued}
              onKeyDown={(event) => {
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
          {message.steer && <span className="shrink-0 rounded bg-accent-wash px-1.5 text-accent text-xs">{text.queue.steer}</span>}
          {!message.steer && (
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
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
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
