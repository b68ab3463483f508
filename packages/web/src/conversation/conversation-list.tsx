import type { AttemptId, Execution, MergeMode } from "@skein/contracts";
import { projectMessages } from "@skein/engine";
import { useQuery } from "@tanstack/react-query";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { compressionQuery } from "../api/attempt-api.ts";
import { executionsQuery } from "../api/queries.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { useDisclosedKeys } from "../ui/disclosure.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { ConversationRowView } from "./conversation-row-view.tsx";
import { type ConversationRow, estimateRowHeight, findRow, toConversationRows } from "./conversation-rows.ts";
import { maxHeldMessages } from "./history-window.ts";
import { parentKeys, toConversationTree } from "./nesting.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { useFindMarks } from "./use-find-marks.ts";
import { useFollowEnd } from "./use-follow-end.ts";
import { useHold } from "./use-hold.ts";
import { type ConversationListHandle, useJump } from "./use-jump.ts";
import type { TaskConversation } from "./use-task-conversation.ts";

const loadWithin = 600;
const paddingEnd = 16;
/** Header, tabs and composer, about: the height of the list is measured once it is drawn. */
const heightAround = 220;

export interface ConversationListProps {
  conversation: TaskConversation;
  mergeMode: MergeMode;
  /** Only Skein's own agent can undo its compression. */
  canUndoCompression: boolean;
  /** Marked wherever it is drawn. */
  findText: string;
  onEdit(message: OutgoingMessage): void;
  handle: RefObject<ConversationListHandle | null>;
}

/** Draws only rows near the viewport. Follows the end while it is there, and keeps its position while older pages are added above. */
export function ConversationList({ conversation, mergeMode, canUndoCompression, findText, onEdit, handle }: ConversationListProps) {
  const text = useTaskText();
  const scroller = useRef<HTMLDivElement>(null);
  const { held, hold } = useHold();
  const { shown, isDetached, hasMore, loadOlder, loadNewer } = conversation;
  const executions = useExecutions(conversation.attemptId);
  const undo = useUndo(conversation, canUndoCompression);
  const nodes = useMemo(() => toConversationTree(projectMessages(shown, mergeMode)), [shown, mergeMode]);
  const open = useDisclosedKeys(useMemo(() => parentKeys(nodes), [nodes]));
  const rows = useMemo(
    () =>
      toConversationRows({
        nodes,
        open,
        // Far above the newest messages, activity at the end is not shown.
        approvals: isDetached ? [] : conversation.approvals,
        outgoing: isDetached ? [] : conversation.outgoing,
        running: isDetached ? null : (conversation.currentExecution ?? null),
        executions,
        undo,
      }),
    [nodes, open, isDetached, conversation.approvals, conversation.outgoing, conversation.currentExecution, executions, undo],
  );
  const pinned = useMemo(() => rows.flatMap((row, index) => (row.kind === "approval" ? [index] : [])), [rows]);
  const paddingStart = hasMore ? 40 : 16;
  const initialHeight = Math.max(0, innerHeight - heightAround);
  // Rows out of view are added when those in view are drawn.
  const overscan = useDeferredValue(8, 0);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    overscan,
    // A half-written answer is kept while the user scrolls up to read.
    rangeExtractor: (range) => withPinned(defaultRangeExtractor(range), pinned),
    paddingStart,
    paddingEnd,
    // The first render already has the rows at the end. Without these, it has none, and the next one those at the beginning.
    initialRect: { width: innerWidth, height: initialHeight },
    initialOffset: () => Math.max(0, rows.reduce((sum, row) => sum + estimateRowHeight(row), paddingStart + paddingEnd) - initialHeight),
    // Keeps what is in view where it is while older pages come in above.
    anchorTo: held ? "start" : "end",
  });
  const totalSize = virtualizer.getTotalSize();
  const { atEnd, onScroll, toEnd, letGo } = useFollowEnd(scroller, totalSize, { reachesEnd: !isDetached });
  const newest = conversation.messages.at(-1)?.id;
  const seen = useRef(newest);
  if (atEnd) seen.current = newest;

  const { letGoOfOlder } = conversation;
  const count = shown.length;
  useEffect(() => {
    if (atEnd && count > maxHeldMessages) letGoOfOlder();
  }, [atEnd, count, letGoOfOlder]);

  // A sent message is shown, wherever the list was scrolled to.
  const sentLast = conversation.outgoing.at(-1)?.commandId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new message leads to the end
  useEffect(() => {
    if (sentLast !== undefined) toEnd();
  }, [sentLast]);

  const onArrive = (): void => {
    letGo();
    hold();
  };
  const { current, forget } = useJump({ handle, conversation, rows, scroller, virtualizer, findText, onArrive });
  const items = virtualizer.getVirtualItems();
  useFindMarks(scroller, findText, items.map((item) => item.key).join() + totalSize);

  return (
    <div className="relative min-h-0 flex-1">
      <section
        aria-label={text.conversation.label}
        className="scroll-quiet h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none] focus-visible:outline-offset-[-2px]"
        onClickCapture={(event) => {
          if (!(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
          hold();
          letGo();
        }}
        onScroll={({ currentTarget }) => {
          onScroll();
          if (hasMore && currentTarget.scrollTop < loadWithin) void loadOlder();
          const below = currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight;
          if (isDetached && below < loadWithin) void loadNewer();
        }}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard
        tabIndex={0}
      >
        <div className="relative mx-auto flow-root w-full max-w-3xl" style={{ height: totalSize }}>
          <p className="absolute inset-x-0 top-2 flex items-center justify-center gap-2 text-ink-faint text-xs">
            {conversation.loadingOlder && <Spinner size={13} />}
            {conversation.loadingOlder && text.conversation.loadingOlder}
          </p>
          {items.map((item, at) => {
            const row = rows[item.index];
            const isCurrent = current !== null && row !== undefined && showsMessage(row, current);
            return (
              row && (
                <div
                  // In the flow, so that a row that grows never covers the next one until it is measured. While it has the pointer or
                  // the focus it is above the next one, into which the buttons of a short message reach.
                  className="relative flow-root px-3 focus-within:z-[1] hover:z-[1] sm:px-6"
                  data-current={isCurrent || undefined}
                  data-index={item.index}
                  key={item.key}
                  ref={virtualizer.measureElement}
                  style={{ marginTop: item.start - (items[at - 1]?.end ?? 0) }}
                >
                  <div className={isCurrent ? "rounded-lg outline-2 outline-accent/50 outline-offset-2" : ""}>
                    <ConversationRowView conversation={conversation} onEdit={onEdit} row={row} />
                  </div>
                </div>
              )
            );
          })}
        </div>
      </section>
      {!atEnd && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <button
            className="pointer-events-auto flex h-8 pointer-coarse:h-10 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-3 text-sm shadow-pop hover:bg-hover"
            onClick={() => {
              forget();
              conversation.showNewest();
              toEnd();
            }}
            type="button"
          >
            <Icon name="arrowDown" size={14} />
            {seen.current === newest ? text.conversation.toEnd : text.conversation.newMessages}
          </button>
        </div>
      )}
    </div>
  );
}

function showsMessage(row: ConversationRow, messageId: string): boolean {
  return findRow([row], messageId) === 0;
}

/** Loaded only where there is a summary, and again for each new one: messages do not contain which summary is in use. */
function useUndo(conversation: TaskConversation, enabled: boolean): { attemptId: AttemptId; summaryId: string } | null {
  const { attemptId, messages } = conversation;
  const newest = messages.findLast(({ messageType }) => messageType === "summary")?.id;
  const { data } = useQuery({
    ...compressionQuery(attemptId ?? ("" as AttemptId), newest ?? ""),
    enabled: enabled && attemptId !== null && newest !== undefined,
    refetchOnMount: "always",
  });
  const summaryId = data?.summaryId ?? null;
  return useMemo(
    () => (enabled && attemptId !== null && newest !== undefined && summaryId !== null ? { attemptId, summaryId } : null),
    [enabled, attemptId, newest, summaryId],
  );
}

const noExecutions: readonly Execution[] = [];

function useExecutions(attemptId: AttemptId | null): readonly Execution[] {
  const { data } = useQuery(executionsQuery(attemptId));
  return data ?? noExecutions;
}

function withPinned(inView: readonly number[], pinned: readonly number[]): number[] {
  return [...new Set([...inView, ...pinned])].sort((a, b) => a - b);
}
