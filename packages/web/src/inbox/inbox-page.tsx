import type { Approval } from "@skein/contracts";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { approvalsQuery, projectsQuery, taskQuery } from "../api/queries.ts";
import { FailedPage } from "../app/message-pages.tsx";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { useFormats, useText } from "../i18n/locale.tsx";
import { Icon } from "../ui/icon.tsx";
import { RenderBoundary } from "../ui/render-boundary.tsx";
import { useNow } from "../ui/use-now.ts";
import { useShortcut } from "../ui/use-shortcut.ts";
import { useTitle } from "../ui/use-title.ts";
import { useResolvedElsewhere } from "./use-resolved-elsewhere.ts";

/** Everything that waits for an answer, of every project, the oldest first: its agent has waited longest. */
export function InboxPage() {
  const text = useText();
  const { data, error } = useQuery(approvalsQuery);
  const resolved = useResolvedElsewhere();
  const [chosen, setChosen] = useState<Approval["id"] | null>(null);
  const list = useRef<HTMLUListElement>(null);
  useTitle(text.shell.inbox.title);
  const approvals = useWithTask(data)?.toSorted((a, b) => a.requestedAt - b.requestedAt) ?? [];
  const at = Math.max(
    0,
    approvals.findIndex(({ id }) => id === chosen),
  );
  const active = approvals[at];
  // Here and not whenever another one is chosen: a field that was clicked, or opened by a key, keeps its focus.
  const go = (step: number) => {
    const next = approvals[Math.min(Math.max(at + step, 0), approvals.length - 1)];
    if (next) list.current?.querySelector<HTMLElement>(`[data-inbox="${CSS.escape(next.id)}"]`)?.focus();
  };
  useShortcut("j", () => go(1));
  useShortcut("k", () => go(-1));
  useShortcut("ArrowDown", () => go(1));
  useShortcut("ArrowUp", () => go(-1));

  if (error && !data) return <FailedPage error={error} />;
  return (
    <div className="mx-auto w-full max-w-3xl p-3 sm:p-6">
      <header className="flex items-baseline gap-3">
        <h1 className="font-semibold text-lg">{text.shell.inbox.title}</h1>
        <p aria-live="polite" className="text-ink-soft text-sm">
          {approvals.length > 0 && text.shell.inbox.waiting(approvals.length)}
        </p>
      </header>
      {approvals.length > 0 && <p className="mt-1 text-ink-faint text-sm pointer-coarse:hidden">{text.shell.inbox.keys}</p>}
      <div aria-live="polite">
        {resolved.map((approval) => (
          <ResolvedLine approval={approval} key={approval.id} />
        ))}
      </div>
      {data?.length === 0 && <EmptyInbox />}
      <ul ref={list}>
        {approvals.map((approval) => (
          <li
            className="mt-4 rounded-xl outline-offset-4"
            data-inbox={approval.id}
            key={approval.id}
            onFocus={() => setChosen(approval.id)}
            tabIndex={-1}
          >
            <Origin approval={approval} />
            <RenderBoundary raw={() => JSON.stringify(approval.input, null, 2)} revision={approval}>
              <ApprovalCard active={approval.id === active?.id} approval={approval} />
            </RenderBoundary>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A question without the name of its task would be answered blindly: each is shown once its task is known. */
function useWithTask(approvals: readonly Approval[] | undefined): Approval[] | undefined {
  const taskIds = [...new Set(approvals?.map(({ taskId }) => taskId))];
  const tasks = useQueries({ queries: taskIds.map(taskQuery) });
  return approvals?.filter(({ taskId }) => tasks[taskIds.indexOf(taskId)]?.isPending === false);
}

function EmptyInbox() {
  const text = useText();
  return (
    <div className="flex flex-col items-center gap-2 py-20 text-center">
      <Icon className="text-line-strong" name="inbox" size={40} />
      <h2 className="font-semibold">{text.shell.inbox.empty}</h2>
      <p className="max-w-xs text-ink-soft text-sm">{text.shell.inbox.emptyText}</p>
    </div>
  );
}

/** Which task it is for: the title alone would be the same in two projects. */
function Origin({ approval }: { approval: Approval }) {
  const text = useText();
  const format = useFormats();
  const now = useNow(30_000);
  const { data: task } = useQuery(taskQuery(approval.taskId));
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === task?.projectId);
  return (
    <div className="flex flex-wrap items-baseline gap-x-2 text-sm">
      <Link
        className="min-w-0 font-medium underline-offset-2 [overflow-wrap:anywhere] hover:underline"
        params={{ taskId: approval.taskId }}
        search={{ attempt: approval.attemptId }}
        title={text.shell.inbox.open}
        to="/t/$taskId"
      >
        {task?.title ?? approval.taskId}
      </Link>
      <span className="text-ink-faint text-xs">
        {[project?.name, text.shell.inbox.asked(format.relative(approval.requestedAt, now))].filter(Boolean).join(" · ")}
      </span>
    </div>
  );
}

function ResolvedLine({ approval }: { approval: Approval }) {
  const text = useText();
  const { data: task } = useQuery(taskQuery(approval.taskId));
  if (approval.status === "pending") return null;
  const outcome = approval.status === "expired" ? "expired" : approval.decision;
  return (
    <p className="mt-3 flex items-center gap-2 rounded-lg border border-line px-3 py-2 text-ink-soft text-sm">
      <Icon className="text-ink-faint" name={outcome === "deny" || outcome === "expired" ? "cross" : "check"} size={14} />
      <span className="min-w-0 truncate">{task?.title}</span>
      <span className="ms-auto shrink-0 text-ink-faint text-xs">{text.shell.inbox.elsewhere[outcome]}</span>
    </p>
  );
}
