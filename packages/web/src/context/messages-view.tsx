import type { AttemptId } from "@skein/contracts";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { useFollowEnd } from "../conversation/use-follow-end.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { sumHistory, toContextRows } from "./context-rows.ts";
import { MessageRow } from "./message-row.tsx";
import { SummaryRow } from "./summary-row.tsx";
import { useContextText } from "./use-context-text.ts";
import { useHistory } from "./use-history.ts";

const rowHeight = 40;

/** The protocol messages of an attempt, as they are now. */
export function MessagesView({ attemptId, conversation }: { attemptId: AttemptId; conversation: TaskConversation }) {
  const text = useContextText();
  const format = useFormats();
  const describe = useErrorText();
  const scroller = useRef<HTMLDivElement>(null);
  const [showsReplaced, setShowsReplaced] = useState(false);
  // the end of an execution changes no message of the conversation, but here nothing is live any more
  const changed = [conversation.messages, conversation.isExecuting];
  const { view, error, isComplete, retry } = useHistory(attemptId, changed, attemptApi.getHistory);
  // Typing does not wait for it.
  const shown = useDeferredValue(view);
  const rows = useMemo(() => toContextRows(shown, { showsReplaced }), [shown, showsReplaced]);
  const totals = useMemo(() => sumHistory(shown), [shown]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => rowHeight,
    overscan: 10,
    paddingStart: 4,
    paddingEnd: 12,
  });
  const totalSize = virtualizer.getTotalSize();
  const { onScroll, letGo } = useFollowEnd(scroller, totalSize, { reachesEnd: true });
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target instanceof HTMLElement && event.target.matches("[data-index] article > button") ? event.target : null;
    if (by === undefined || row === null) return;
    event.preventDefault();
    const index = Number(row.closest<HTMLElement>("[data-index]")?.dataset.index) + by;
    letGo();
    virtualizer.scrollToIndex(Math.max(0, Math.min(rows.length - 1, index)));
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] article button`)?.focus());
  };

  if (error !== null && shown.entries.length === 0) {
    return (
      <div className="space-y-3 p-4">
        <ErrorText>
          {text.failed} {describe(error)}
        </ErrorText>
        <Button onClick={retry}>{text.retry}</Button>
      </div>
    );
  }
  if (isComplete && rows.length === 0) return <p className="mx-auto max-w-sm px-4 py-12 text-center text-ink-faint text-sm">{text.none}</p>;
  const tokens = text.tokens(totals.tokens, format.tokens(totals.tokens));
  return (
    <>
      <p className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b px-3 py-1 text-ink-soft text-sm tabular-nums">
        <span>{text.messages(totals.messages)}</span>
        <span title={totals.isEstimate ? text.estimatedHint : text.reportedHint}>
          {totals.isEstimate ? text.estimated(tokens) : tokens}
        </span>
        {!isComplete && (
          <span className="flex items-center gap-1.5 text-ink-faint text-xs" role="status">
            <Spinner size={12} />
            {view.total === 0 ? text.loading : text.loaded(format.number(view.entries.length), format.number(view.total))}
          </span>
        )}
        {error !== null && (
          <span className="flex items-center gap-2 text-bad text-xs">
            {describe(error)}
            <Button look="quiet" onClick={retry}>
              {text.retry}
            </Button>
          </span>
        )}
      </p>
      <div
        className="scroll-quiet min-h-0 flex-1 overflow-y-auto overflow-x-hidden focus-visible:outline-offset-[-2px]"
        onClickCapture={(event) => {
          if (event.target instanceof Element && event.target.closest("[aria-expanded]")) letGo();
        }}
        onScroll={onScroll}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard
        tabIndex={0}
      >
        <ol aria-label={text.list} className="relative" data-count={rows.length} onKeyDown={onKeyDown} style={{ height: totalSize }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <li
                  aria-posinset={item.index + 1}
                  aria-setsize={rows.length}
                  className="absolute inset-x-0 top-0"
                  data-index={item.index}
                  key={item.key}
                  ref={virtualizer.measureElement}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  {row.kind === "summary" ? (
                    <SummaryRow onToggle={setShowsReplaced} row={row} />
                  ) : (
                    <MessageRow attemptId={attemptId} row={row} />
                  )}
                </li>
              )
            );
          })}
        </ol>
      </div>
    </>
  );
}
