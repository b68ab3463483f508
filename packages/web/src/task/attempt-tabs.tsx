import type { Attempt, AttemptId, TaskActivity, TaskId } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { diffStatQuery } from "../api/shell-api.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { buttonClass } from "../ui/button.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { PathText } from "../ui/path-text.tsx";
import { type AttemptFacts, toAttemptFacts } from "./attempt-facts.ts";

export interface AttemptTabsProps {
  taskId: TaskId;
  attempts: readonly Attempt[];
  shown: AttemptId;
  activity: TaskActivity | undefined;
  /** At the end of the bar. */
  aside: ReactNode;
  onShow(id: AttemptId): void;
}

/** `#2 Claude Code`, one tab each, with its state and cost; the arrow keys move between them. */
export function AttemptTabs({ taskId, attempts, shown, activity, aside, onShow }: AttemptTabsProps) {
  const text = useTaskText();
  const listed = attempts.filter(({ id, archived }) => archived !== true || id === shown);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = listed[listed.findIndex(({ id }) => id === shown) + step];
    if (step === 0 || !next) return;
    event.preventDefault();
    onShow(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-attempt-id="${CSS.escape(next.id)}"]`)?.focus();
  };
  const current = attempts.find(({ id }) => id === shown);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector(`[data-attempt-id="${CSS.escape(shown)}"]`);
    if (!tab) return;
    // at once, and when the tab grows, as its numbers arrive, or the bar has less room for it
    const observer = new ResizeObserver(() => void tab.scrollIntoView({ block: "nearest", inline: "nearest" }));
    for (const element of [tab, tab.parentElement]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, [shown]);
  return (
    <div className="flex h-10 shrink-0 items-center gap-2 border-line border-b px-2 sm:px-3">
      <div
        aria-label={text.task.attempts}
        className="scroll-quiet flex min-w-0 gap-1 overflow-x-auto"
        onKeyDown={onKeyDown}
        ref={list}
        role="tablist"
      >
        {listed.map((attempt) => (
          <AttemptTab
            attempt={attempt}
            facts={toAttemptFacts(attempt, activity)}
            continues={attempts.find(({ id }) => id === attempt.continuedFrom)?.number}
            isShown={attempt.id === shown}
            key={attempt.id}
            marksActive={attempts.length > 1}
            onShow={() => onShow(attempt.id)}
          />
        ))}
      </div>
      {attempts.length > 1 && (
        <Link className={buttonClass("quiet", "h-7! shrink-0 px-2!")} params={{ taskId }} to="/t/$taskId/compare">
          <Icon name="columns" size={14} />
          <span className="max-sm:sr-only">{text.taskPage.compare.open}</span>
        </Link>
      )}
      {current?.branch && (
        <span className="ms-auto flex min-w-0 items-center gap-1 text-ink-faint text-xs max-xl:hidden" title={current.directory}>
          <Icon name="branch" size={13} />
          <PathText className="font-mono" text={current.branch} title={current.directory} />
        </span>
      )}
      <span className="ms-auto shrink-0 xl:ms-0">{aside}</span>
    </div>
  );
}

interface AttemptTabProps {
  attempt: Attempt;
  facts: AttemptFacts;
  /** The number of the attempt that it continues from. */
  continues: number | undefined;
  isShown: boolean;
  /** Where there is only one, it needs no mark. */
  marksActive: boolean;
  onShow(): void;
}

const stateIcon: Record<Exclude<AttemptFacts["state"], "running" | "new">, { icon: IconName; tone: string }> = {
  held: { icon: "clock", tone: "text-ink-faint" },
  waiting: { icon: "shield", tone: "text-warn" },
  success: { icon: "check", tone: "text-good" },
  failed: { icon: "cross", tone: "text-bad" },
  cancelled: { icon: "stop", tone: "text-ink-faint" },
  interrupted: { icon: "broken", tone: "text-warn" },
};

function AttemptTab({ attempt, facts, continues, isShown, marksActive, onShow }: AttemptTabProps) {
  const text = useTaskText();
  const format = useFormats();
  const agentName = useAgentName();
  const { data: stat } = useQuery(diffStatQuery(facts.state === "new" ? null : attempt.id));
  const cost = facts.totals?.usage.costUsd;
  const says = {
    running: text.attempt.running,
    held: text.conversation.held.title,
    waiting: text.conversation.statusWaiting,
    new: text.taskPage.compare.neverRan,
    ...text.execution.status,
  }[facts.state];
  const label = [
    text.attempt.label(attempt.number),
    `${agentName(attempt.agent)}${attempt.model ? ` ${attempt.model}` : ""}`,
    continues !== undefined && text.taskPage.compare.continues(continues),
    attempt.active && text.attempt.active,
    says,
    cost !== undefined && format.money(cost),
  ];
  return (
    <button
      aria-label={label.filter(Boolean).join(", ")}
      aria-selected={isShown}
      className="flex h-7 pointer-coarse:h-9 shrink-0 items-center gap-1.5 rounded-md px-2 text-ink-soft text-sm hover:bg-hover aria-selected:bg-active aria-selected:text-ink"
      data-attempt-id={attempt.id}
      data-state={facts.state}
      onClick={onShow}
      role="tab"
      tabIndex={isShown ? 0 : -1}
      title={says}
      type="button"
    >
      <span className="text-ink-faint tabular-nums">#{attempt.number}</span>
      {agentName(attempt.agent)}
      {continues !== undefined && (
        <span className="text-ink-faint text-xs tabular-nums" title={text.taskPage.compare.continues(continues)}>
          ← #{continues}
        </span>
      )}
      <StateIcon state={facts.state} />
      {cost !== undefined && cost > 0 && <span className="text-ink-faint text-xs tabular-nums">{format.money(cost)}</span>}
      {stat && <ChangeCount additions={stat.additions} deletions={stat.deletions} />}
      {attempt.active && marksActive && <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />}
    </button>
  );
}

function StateIcon({ state }: { state: AttemptFacts["state"] }) {
  if (state === "new") return null;
  if (state === "running") return <Spinner className="text-accent" size={12} />;
  const { icon, tone } = stateIcon[state];
  return <Icon className={tone} name={icon} size={12} />;
}
