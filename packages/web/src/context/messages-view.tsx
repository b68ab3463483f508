import type { AttemptId } from "@skein/contracts";
import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type FocusEvent, type KeyboardEvent, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { attemptApi } from "../api/attempt-api.ts";
import { useFollowEnd } from "../conversation/use-follow-end.ts";
import { useHold } from "../conversation/use-hold.ts";
import type { TaskConversation } from "../conversation/use-task-conversation.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { hasEarlierRows, sumHistory, toContextRows } from "./context-rows.ts";
import { MessageRow } from "./message-row.tsx";
import type { PaneState } from "./pane-state.ts";
import { SummaryRow } from "./summary-row.tsx";
import { useContextText } from "./use-context-text.ts";
import { type LoadedHistory, useHistory } from "./use-history.ts";

const rowHeight = 40;
/** Earlier messages are loaded when so many pixels are left above. */
const loadWithin = 600;

/** The protocol messages of an attempt, as they are now: the newest at first, those before them when they are scrolled to. */
export function MessagesView({
  attemptId,
  conversation,
  state,
}: {
  attemptId: AttemptId;
  conversation: TaskConversation;
  state: PaneState;
}) {
  const text = useContextText();
  const describe = useErrorText();
  const scroller = useRef<HTMLDivElement>(null);
  const [showsReplaced, setShowsReplaced] = useState(state.showsReplaced);
  const toggleReplaced = (shows: boolean): void => {
    state.showsReplaced = shows;
    setShowsReplaced(shows);
  };
  // the end of an execution changes no message of the conversation, but here nothing is live any more
  const changed = [conversation.messages, conversation.isExecuting];
  const history = useHistory(attemptId, { changed, state, loadPage: attemptApi.getHistory });
  // Typing does not wait for it.
  const view = useDeferredValue(history.view);
  const rows = useMemo(() => toContextRows(view, { showsReplaced }), [view, showsReplaced]);
  const hasEarlier = hasEarlierRows(view, { showsReplaced });
  const { held, hold } = useHold();
  const focused = useRef<{ index: number; key: string } | null>(null);
  const findFocused = (): number => {
    const known = focused.current;
    if (known === null) return -1;
    // rows that came in above have moved it
    if (rows[known.index]?.key !== known.key) known.index = rows.findIndex(({ key }) => key === known.key);
    return known.index;
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The row with the focus stays while it is scrolled away: keys would lead nowhere.
    rangeExtractor: (range) => withFocused(defaultRangeExtractor(range), findFocused()),
    paddingStart: hasEarlier ? 44 : 4,
    paddingEnd: 12,
    // Keeps what is in view where it is while earlier messages come in above.
    anchorTo: held ? "start" : "end",
    ...useKeptScroll(state),
  });
  useKeepMeasured(state, virtualizer);
  const totalSize = virtualizer.getTotalSize();
  const follow = useFollowEnd(scroller, totalSize, { reachesEnd: true, startsAtEnd: state.scroll === null });
  const { loadEarlier } = history;
  const loadNearTop = (): void => {
    if (hasEarlier && scroller.current !== null && scroller.current.scrollTop < loadWithin) loadEarlier();
  };
  // A page may be shorter than the pane, or folded away by a summary: then nothing is scrolled.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again when rows have come
  useEffect(loadNearTop, [rows, hasEarlier]);

  const findButton = (index: number) => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] article button`);
  const moveTo = (index: number): void => {
    if (index < 0) loadEarlier();
    if (index < 0 || index >= rows.length) return;
    follow.letGo();
    const button = findButton(index);
    if (button) {
      button.focus();
      return;
    }
    // `scrollToIndex` would keep aiming at the first row while others are added above it
    if (index === 0) scroller.current?.scrollTo(0, 0);
    else virtualizer.scrollToIndex(index);
    requestAnimationFrame(() => requestAnimationFrame(() => findButton(index)?.focus()));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLOListElement>): void => {
    const row = event.target instanceof HTMLElement && event.target.matches("[data-index] article > button") ? event.target : null;
    const at = Number(row?.closest<HTMLElement>("[data-index]")?.dataset.index);
    const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
    const index = targets[event.key];
    if (row === null || index === undefined) return;
    event.preventDefault();
    moveTo(index);
  };
  const onFocus = (event: FocusEvent<HTMLOListElement>): void => {
    const index = Number(event.target.closest<HTMLElement>("[data-index]")?.dataset.index);
    const key = rows[index]?.key;
    focused.current = key === undefined ? null : { index, key };
  };

  if (history.error !== null && view.entries.length === 0) {
    return (
      <div className="space-y-3 p-4">
        <ErrorText>
          {text.failed} {describe(history.error)}
        </ErrorText>
        <Button onClick={history.retry}>{text.retry}</Button>
      </div>
    );
  }
  if (history.isCurrent && view.total === 0)
    return <p className="mx-auto max-w-sm px-4 py-12 text-center text-ink-faint text-sm">{text.none}</p>;
  return (
    <>
      <Totals history={history} />
      <div className="relative min-h-0 flex-1">
        <div
          className="scroll-quiet h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none] focus-visible:outline-offset-[-2px]"
          onClickCapture={(event) => {
            if (!(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
            hold();
            follow.letGo();
          }}
          onScroll={({ currentTarget }) => {
            follow.onScroll();
            const { scrollTop: top, scrollHeight, clientHeight } = currentTarget;
            state.scroll = scrollHeight - top - clientHeight < 1 ? null : { top, measured: state.scroll?.measured ?? [] };
            loadNearTop();
          }}
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard
          tabIndex={0}
        >
          <div className="relative">
            {hasEarlier && <Earlier history={history} />}
            <ol
              aria-label={text.list}
              className="relative"
              data-count={rows.length}
              onBlur={() => {
                focused.current = null;
              }}
              onFocus={onFocus}
              onKeyDown={onKeyDown}
              style={{ height: totalSize }}
            >
              {virtualizer.getVirtualItems().map((item) => {
                const row = rows[item.index];
                return (
                  row && (
                    <li
                      aria-posinset={item.index + 1}
                      // -1: their number is not known while some are not loaded
                      aria-setsize={hasEarlier ? -1 : rows.length}
                      className="absolute inset-x-0 top-0"
                      data-index={item.index}
                      key={item.key}
                      ref={virtualizer.measureElement}
                      style={{ transform: `translateY(${item.start}px)` }}
                    >
                      {row.kind === "summary" ? (
                        <SummaryRow onToggle={toggleReplaced} row={row} />
                      ) : (
                        <MessageRow attemptId={attemptId} row={row} />
                      )}
                    </li>
                  )
                );
              })}
            </ol>
          </div>
        </div>
        {!follow.atEnd && (
          <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
            <button
              className="pointer-events-auto flex h-8 pointer-coarse:h-10 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 text-sm shadow-pop hover:bg-hover"
              onClick={follow.toEnd}
              type="button"
            >
              <Icon name="arrowDown" size={14} />
              {text.toEnd}
            </button>
          </div>
        )}
      </div>
    </>
  );
}

function Totals({ history: { view, error, isCurrent, retry } }: { history: LoadedHistory }) {
  const text = useContextText();
  const format = useFormats();
  const describe = useErrorText();
  const totals = useMemo(() => sumHistory(view), [view]);
  const tokens = text.tokens(totals.tokens, format.tokens(totals.tokens));
  const size = totals.isEstimate ? text.estimated(tokens) : tokens;
  const hint = totals.isEstimate ? text.estimatedHint : text.reportedHint;
  return (
    <p className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-b px-3 py-1 text-ink-soft text-sm tabular-nums">
      {view.total > 0 && <span>{text.messages(totals.messages)}</span>}
      {view.total > 0 && (
        <span title={totals.isPartial ? `${text.atLeastHint} ${hint}` : hint}>{totals.isPartial ? text.atLeast(size) : size}</span>
      )}
      {!isCurrent && error === null && (
        <span className="flex items-center gap-1.5 text-ink-faint text-xs" role="status">
          <Spinner size={12} />
          {text.loading}
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
  );
}

/** Above the first row, while there is more before it. */
function Earlier({ history: { view, isLoadingEarlier, loadAll } }: { history: LoadedHistory }) {
  const text = useContextText();
  const format = useFormats();
  return (
    <p className="absolute inset-x-0 top-1 z-10 flex h-9 items-center justify-center gap-3 text-ink-faint text-xs tabular-nums">
      <span className="flex items-center gap-1.5" role="status">
        {isLoadingEarlier && <Spinner size={12} />}
        {isLoadingEarlier ? text.loadingEarlier : text.newest(format.number(view.entries.length))}
      </span>
      <Button look="quiet" onClick={loadAll}>
        {text.loadAll}
      </Button>
    </p>
  );
}

function useKeptScroll({ scroll }: PaneState): { initialOffset?: number; initialMeasurementsCache?: VirtualItem[] } {
  const [kept] = useState(scroll);
  return kept === null ? {} : { initialOffset: kept.top, initialMeasurementsCache: kept.measured };
}

/** Heights of rows: without them a list that is shown again would be scrolled to another row. */
function useKeepMeasured(state: PaneState, virtualizer: { takeSnapshot(): VirtualItem[] }): void {
  useLayoutEffect(
    () => () => {
      if (state.scroll !== null) state.scroll = { ...state.scroll, measured: virtualizer.takeSnapshot() };
    },
    [state, virtualizer],
  );
}

function withFocused(inView: readonly number[], focused: number): number[] {
  if (focused < 0 || inView.includes(focused)) return [...inView];
  return [...inView, focused].sort((a, b) => a - b);
}
