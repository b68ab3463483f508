import type { AttemptId, Execution } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { executionsQuery } from "../api/queries.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { useFormats, useText } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { useNow } from "../ui/use-now.ts";
import { type ConversationRow, estimateRowHeight, toConversationRows } from "./conversation-rows.ts";
import { ExecutionEnd } from "./execution-end.tsx";
import { MessageImages, MessageView } from "./message-view.tsx";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { useFollowEnd } from "./use-follow-end.ts";
import type { TaskConversation } from "./use-task-conversation.ts";

const loadOlderWithin = 600;

export interface ConversationListProps {
  conversation: TaskConversation;
  /** Only Skein's own agent lets its compression be taken back. */
  canUndoCompression: boolean;
  onEdit(message: OutgoingMessage): void;
}

/** Rows near the viewport only; stays at the end while it is there, and in place while older pages come in above. */
export function ConversationList({ conversation, canUndoCompression, onEdit }: ConversationListProps) {
  const text = useText();
  const scroller = useRef<HTMLDivElement>(null);
  const { held, hold } = useHold();
  const { messages, approvals, outgoing, currentExecution, hasMore, loadOlder } = conversation;
  const executions = useExecutions(conversation.attemptId);
  const undoIn = canUndoCompression ? conversation.attemptId : null;
  const rows = useMemo(
    () => toConversationRows({ messages, approvals, outgoing, runningSince: currentExecution?.startedAt ?? null, executions, undoIn }),
    [messages, approvals, outgoing, currentExecution, executions, undoIn],
  );
  const pinned = useMemo(() => rows.flatMap((row, index) => (row.kind === "approval" ? [index] : [])), [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: (index) => estimateRowHeight(rows[index]),
    overscan: 8,
    // What a person began to answer stays while they scroll up to read.
    rangeExtractor: (range) => withPinned(defaultRangeExtractor(range), pinned),
    paddingStart: hasMore ? 40 : 16,
    paddingEnd: 16,
    // Keeps what is in view where it is while older pages come in above.
    anchorTo: held ? "start" : "end",
  });
  const totalSize = virtualizer.getTotalSize();
  const { atEnd, onScroll, toEnd, letGo } = useFollowEnd(scroller, totalSize);
  const newest = rows.at(-1)?.key;
  const seen = useRef(newest);
  if (atEnd) seen.current = newest;

  // A person who sends wants to see it, wherever they had scrolled to.
  const sentLast = outgoing.at(-1)?.commandId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new message leads to the end
  useEffect(() => {
    if (sentLast !== undefined) toEnd();
  }, [sentLast]);

  const items = virtualizer.getVirtualItems();
  return (
    <div className="relative min-h-0 flex-1">
      <section
        aria-label={text.conversation.label}
        className="scroll-quiet h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
        onClickCapture={(event) => {
          if (!(event.target instanceof Element) || !event.target.closest("[aria-expanded]")) return;
          hold();
          letGo();
        }}
        onScroll={(event) => {
          onScroll();
          if (hasMore && event.currentTarget.scrollTop < loadOlderWithin) void loadOlder();
        }}
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard
        tabIndex={0}
      >
        <div className="relative mx-auto w-full max-w-3xl px-3 sm:px-6" style={{ height: totalSize }}>
          <p className="absolute inset-x-0 top-2 flex items-center justify-center gap-2 text-ink-faint text-xs">
            {conversation.loadingOlder && <Spinner size={13} />}
            {conversation.loadingOlder && text.conversation.loadingOlder}
          </p>
          {items.map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <div
                  className="absolute inset-x-0 top-0 px-3 sm:px-6"
                  data-index={item.index}
                  key={item.key}
                  ref={virtualizer.measureElement}
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <Row conversation={conversation} onEdit={onEdit} row={row} />
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
            onClick={toEnd}
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

const noExecutions: readonly Execution[] = [];

function useExecutions(attemptId: AttemptId | null): readonly Execution[] {
  const { data } = useQuery(executionsQuery(attemptId));
  return data ?? noExecutions;
}

function withPinned(inView: readonly number[], pinned: readonly number[]): number[] {
  return [...new Set([...inView, ...pinned])].sort((a, b) => a - b);
}

const holdMs = 300;

/** What a person folds out must not slide away under the pointer: for a moment the list keeps its beginning in place, not its end. */
function useHold(): { held: boolean; hold(): void } {
  const [until, setUntil] = useState(0);
  useEffect(() => {
    if (until === 0) return;
    const timer = setTimeout(() => setUntil(0), holdMs);
    return () => clearTimeout(timer);
  }, [until]);
  return { held: until > 0, hold: () => setUntil(Date.now() + holdMs) };
}

function Row({
  row,
  conversation,
  onEdit,
}: {
  row: ConversationRow;
  conversation: TaskConversation;
  onEdit(message: OutgoingMessage): void;
}) {
  switch (row.kind) {
    case "message":
      return (
        <Nested depth={row.depth}>
          <MessageView message={row.message} undoIn={row.undoIn} />
        </Nested>
      );
    case "execution-end":
      return (
        <ExecutionEnd
          execution={row.execution}
          onContinue={row.canContinue && conversation.canSendMessage ? (message) => void conversation.sendMessage(message) : undefined}
        />
      );
    case "approval":
      return <ApprovalCard approval={row.approval} />;
    case "working":
      return <Working startedAt={row.startedAt} waiting={row.waiting} />;
    case "outgoing":
      return <Outgoing conversation={conversation} onEdit={onEdit} row={row} />;
  }
}

/** What a subagent said and did stands to the right of its card, along a line. */
function Nested({ depth, children }: { depth: number; children: ReactNode }) {
  if (depth === 0) return children;
  return (
    <div className="border-line border-s ps-2" style={{ marginInlineStart: `${depth * 0.9}rem` }}>
      {children}
    </div>
  );
}

function Working({ startedAt, waiting }: { startedAt: number; waiting: boolean }) {
  const text = useText();
  const format = useFormats();
  const now = useNow(1000);
  return (
    <p className="flex min-h-9 items-center gap-2 px-2 text-ink-faint text-sm">
      {waiting ? <Icon className="text-warn" name="shield" size={15} /> : <Spinner size={15} />}
      {waiting ? text.conversation.statusWaiting : text.conversation.working}
      <span className="whitespace-nowrap tabular-nums">{format.elapsed(Math.max(0, now - startedAt))}</span>
    </p>
  );
}

function Outgoing(props: {
  row: Extract<ConversationRow, { kind: "outgoing" }>;
  conversation: TaskConversation;
  onEdit(message: OutgoingMessage): void;
}) {
  const text = useText();
  const describe = useErrorText();
  const { message } = props.row;
  const failed = message.state.kind === "failed";
  return (
    <article aria-label={text.conversation.you} className="mt-4 mb-3 flex flex-col items-end gap-1">
      <p
        className={`max-w-[85%] whitespace-pre-wrap rounded-2xl rounded-ee-md bg-hover px-3.5 py-2 [overflow-wrap:anywhere] ${failed ? "" : "opacity-70"}`}
      >
        {message.text}
      </p>
      <MessageImages images={message.images} />
      {message.state.kind === "failed" && (
        <div className="flex flex-wrap items-center justify-end gap-1 text-bad text-xs" role="alert">
          <Icon name="warning" size={13} />
          {text.composer.notSent}: {describe(message.state.error)}
          <Button className="h-7" look="quiet" onClick={() => void props.conversation.retry(message.commandId)}>
            {text.app.retry}
          </Button>
          <Button className="h-7" look="quiet" onClick={() => props.onEdit(message)}>
            {text.composer.backToComposer}
          </Button>
        </div>
      )}
    </article>
  );
}
