import type { Approval, InboxItem } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useMemo, useRef } from "react";
import { projectsQuery, taskQuery } from "../api/queries.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { useFormats, useText } from "../i18n/locale.tsx";
import { queryClient } from "../live/live.ts";
import { useStore } from "../state/external-store.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { FailedPage } from "../ui/message-pages.tsx";
import { RenderBoundary } from "../ui/render-boundary.tsx";
import { useNow } from "../ui/use-now.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { dismissItem, openedItems, putBack } from "./clear-item.ts";
import { EmptyInbox } from "./empty-inbox.tsx";
import { EndedCard } from "./ended-card.tsx";
import type { InboxEntry } from "./inbox-entries.ts";
import { toTaskPlace } from "./task-place.ts";
import { useInbox } from "./use-inbox.ts";
import { useInboxPlace } from "./use-inbox-place.ts";
import { useResolvedElsewhere } from "./use-resolved-elsewhere.ts";

/** Everything that needs the user, of every project, the oldest first. */
export function InboxPage() {
  const text = useText();
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
  useShortcut("e", () => active?.kind === "ended" && dismiss(active.item));

  if (inbox.error) return <FailedPage error={inbox.error} />;
  const waiting = entries.filter(({ kind }) => kind === "approval").length;
  const toReview = entries.length - waiting;
  const counts = [waiting > 0 && words.waiting(waiting), toReview > 0 && words.toReview(toReview)].filter(Boolean).join(" · ");
  return (
    <div className="mx-auto w-full max-w-3xl p-3 sm:p-6">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h1 className="font-semibold text-lg">{words.title}</h1>
        <p aria-live="polite" className="text-ink-soft text-sm">
          {counts}
        </p>
      </header>
      {entries.length > 0 && <Keys hasApprovals={waiting > 0} hasEnded={toReview > 0} />}
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
              if (event.key === "Enter" && !event.repeat && event.target === event.currentTarget) void navigate(toPlace(entry));
            }}
            tabIndex={-1}
          >
            <Origin entry={entry} />
            <RenderBoundary raw={() => JSON.stringify(toRaw(entry), null, 2)} revision={entry}>
              {entry.kind === "approval" ? (
                <ApprovalCard active={entry.id === chosen} approval={entry.approval} />
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

const toPlace = (entry: InboxEntry) => toTaskPlace(entry.kind === "ended" ? entry.item : entry);
const toRaw = (entry: InboxEntry) => (entry.kind === "ended" ? entry.item : entry.approval.input);

function dismiss(item: InboxItem): void {
  void dismissItem(item, queryClient.getQueryData(taskQuery(item.taskId).queryKey)?.title ?? item.taskId);
}

function Keys({ hasApprovals, hasEnded }: { hasApprovals: boolean; hasEnded: boolean }) {
  const { keys } = useText().shell.inbox;
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-ink-faint text-xs pointer-coarse:hidden">
      <span className="sr-only">{keys.label}: </span>
      <Key keys="J K">{keys.move}</Key>
      <Key keys="↵">{keys.open}</Key>
      {hasApprovals && (
        <>
          <Key keys="A">{keys.allow}</Key>
          <Key keys="⇧A">{keys.always}</Key>
          <Key keys="D">{keys.deny}</Key>
        </>
      )}
      {hasEnded && <Key keys="E">{keys.dismiss}</Key>}
    </p>
  );
}

function Key({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span className="flex items-center gap-2.5">
      <span className="sr-only">{keys}: </span>
      <span aria-hidden="true" className="flex text-ink-soft">
        <KeyHint keys={keys} />
      </span>
      {children}
    </span>
  );
}

/** Which task it is for: the title alone would be the same in two projects. */
function Origin({ entry }: { entry: InboxEntry }) {
  const text = useText();
  const { inbox: words } = text.shell;
  const format = useFormats();
  const now = useNow(30_000);
  const { data: task } = useQuery(taskQuery(entry.taskId));
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === task?.projectId);
  const when = format.relative(entry.at, now);
  const since = entry.kind === "approval" ? words.asked(when) : words.ended[entry.item.execution.status].when(when);
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Link
        {...toPlace(entry)}
        className="min-w-0 font-medium underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        title={words.open}
      >
        {task?.title ?? entry.taskId}
      </Link>
      <span className="text-ink-faint text-xs">
        {project?.name !== undefined && `${project.name} · `}
        <time dateTime={new Date(entry.at).toISOString()} title={format.dateTime(entry.at)}>
          {since}
        </time>
      </span>
    </div>
  );
}

const lineClass = "mt-3 flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-ink-soft text-sm";

function ResolvedLine({ approval }: { approval: Approval }) {
  const { inbox: words } = useText().shell;
  const { data: task } = useQuery(taskQuery(approval.taskId));
  if (approval.status === "pending") return null;
  const outcome = approval.status === "expired" ? "expired" : approval.decision;
  return (
    <p className={lineClass}>
      <Icon className="text-ink-faint" name={outcome === "deny" || outcome === "expired" ? "cross" : "check"} size={14} />
      <span className="min-w-0 truncate">{task?.title}</span>
      <span className="ms-auto shrink-0 text-ink-faint text-xs">{words.elsewhere[outcome]}</span>
    </p>
  );
}

/** What left the inbox by being opened can be put back. */
function OpenedLine({ item }: { item: InboxItem }) {
  const { inbox: words } = useText().shell;
  const { data: task } = useQuery(taskQuery(item.taskId));
  return (
    <p className={lineClass}>
      <Icon className="text-ink-faint" name="check" size={14} />
      <span className="min-w-0 truncate">{task?.title}</span>
      <span className="ms-auto shrink-0 text-ink-faint text-xs max-sm:sr-only">{words.opened}</span>
      <Button className="h-7! pointer-coarse:h-10! shrink-0" look="quiet" onClick={() => void putBack(item)}>
        {words.putBack}
      </Button>
    </p>
  );
}
