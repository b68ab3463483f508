import type { InboxItem } from "@skein/contracts";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { taskQuery } from "../api/queries.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { HeldCard } from "../held/held-card.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { queryClient } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { FailedPage } from "../ui/message-pages.tsx";
import { RenderBoundary } from "../ui/render-boundary.tsx";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { dismissItem, openedItems } from "./clear-item.ts";
import { OpenedLine, ResolvedLine } from "./cleared-lines.tsx";
import { EmptyInbox } from "./empty-inbox.tsx";
import { EndedCard } from "./ended-card.tsx";
import { EntryOrigin } from "./entry-origin.tsx";
import { FeedbackCard } from "./feedback-card.tsx";
import { type InboxEntry, toEntryPlace } from "./inbox-entries.ts";
import { InboxKeys } from "./inbox-keys.tsx";
import { sendFeedback } from "./send-feedback.ts";
import { useInbox } from "./use-inbox.ts";
import { useInboxPlace } from "./use-inbox-place.ts";
import { useResolvedElsewhere } from "./use-resolved-elsewhere.ts";

/** Everything that needs the user, of every project, the oldest first. */
export function InboxPage() {
  const text = useTaskText();
  const { inbox: words } = text.shell;
  const navigate = useNavigate();
  const inbox = useInbox();
  const resolved = useResolvedElsewhere();
  const opened = useStore(openedItems);
  const list = useRef<HTMLUListElement>(null);
  const { entries } = inbox;
  const joined = entries.map(({ id }) => id).join();
  const ids = useMemo(() => (joined === "" ? [] : joined.split(",")), [joined]);
  const { chosen, choose, go } = useInboxPlace({ ids, isComplete: inbox.isComplete }, list);
  const active = entries.find(({ id }) => id === chosen);
  useTitle(words.title);
  useShortcut("j", () => go(1), { repeats: true });
  useShortcut("k", () => go(-1), { repeats: true });
  useShortcut("ArrowDown", () => go(1), { repeats: true });
  useShortcut("ArrowUp", () => go(-1), { repeats: true });
  useShortcut("e", () => active && "item" in active && dismiss(active.item));
  useShortcut("s", () => active?.kind === "feedback" && void sendFeedback(active.item));

  if (inbox.error) return <FailedPage error={inbox.error} />;
  const waiting = entries.filter(({ kind }) => kind === "approval").length;
  const toReview = entries.filter(({ kind }) => kind === "ended").length;
  const feedback = entries.filter(({ kind }) => kind === "feedback").length;
  const held = entries.filter(({ kind }) => kind === "held").length;
  const counts = [
    waiting + held > 0 && words.waiting(waiting + held),
    toReview > 0 && words.toReview(toReview),
    feedback > 0 && words.feedback.count(feedback),
  ];
  return (
    <div className="mx-auto w-full max-w-3xl p-3 sm:p-6">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h1 className="font-semibold text-lg">{words.title}</h1>
        <p aria-live="polite" className="text-ink-soft text-sm">
          {counts.filter(Boolean).join(" · ")}
        </p>
      </header>
      {entries.length > 0 && <InboxKeys hasApprovals={waiting > 0} hasFeedback={feedback > 0} hasItems={toReview + feedback > 0} />}
      <div aria-live="polite">
        {resolved.map((approval) => (
          <ResolvedLine approval={approval} key={approval.id} />
        ))}
        {opened.map((item) => (
          <OpenedLine item={item} key={item.id} />
        ))}
      </div>
      {inbox.isEmpty && <EmptyInbox />}
      <ul ref={list}>
        {entries.map((entry) => (
          <li
            className="mt-4 rounded-xl outline-offset-8"
            data-inbox={entry.id}
            key={entry.id}
            onClick={() => choose(entry.id)}
            onFocus={() => choose(entry.id)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.repeat && event.target === event.currentTarget) void navigate(toEntryPlace(entry));
            }}
            tabIndex={-1}
          >
            <EntryOrigin entry={entry} />
            <RenderBoundary raw={() => JSON.stringify(toRaw(entry), null, 2)} revision={entry}>
              {entry.kind === "approval" ? (
                <ApprovalCard active={entry.id === chosen} approval={entry.approval} />
              ) : entry.kind === "held" ? (
                <HeldCard active={entry.id === chosen} agent={entry.agent} execution={entry.execution} wait={entry.wait} />
              ) : entry.kind === "feedback" ? (
                <FeedbackCard active={entry.id === chosen} item={entry.item} onDismiss={() => dismiss(entry.item)} />
              ) : (
                <EndedCard active={entry.id === chosen} item={entry.item} onDismiss={() => dismiss(entry.item)} />
              )}
            </RenderBoundary>
          </li>
        ))}
      </ul>
    </div>
  );
}

const toRaw = (entry: InboxEntry) =>
  entry.kind === "approval" ? entry.approval.input : entry.kind === "held" ? entry.execution : entry.item;

function dismiss(item: InboxItem): void {
  void dismissItem(item, queryClient.getQueryData(taskQuery(item.taskId).queryKey)?.title ?? item.taskId);
}
