import { useQuery } from "@tanstack/react-query";
import { useAgentName } from "../agents/use-agent-name.ts";
import { diffStatQuery } from "../api/shell-api.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useWorkerWait } from "../hosts/use-worker-wait.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { PullRequestBadge } from "../pull-request/pull-request-badge.tsx";
import { Icon, type IconName, Spinner } from "../ui/icon.tsx";
import { useMinute } from "../ui/use-minute.ts";
import type { TaskState } from "./use-task-state.ts";

const looks: Record<Exclude<TaskState["state"], "idle">, { icon: IconName | null; tone: string }> = {
  running: { icon: null, tone: "font-medium text-accent" },
  held: { icon: "clock", tone: "font-medium text-ink-soft" },
  parked: { icon: "clock", tone: "font-medium text-ink-soft" },
  waiting: { icon: "shield", tone: "font-medium text-warn" },
  failed: { icon: "warning", tone: "font-medium text-bad" },
  interrupted: { icon: "broken", tone: "font-medium text-warn" },
  paused: { icon: "pause", tone: "font-medium text-warn" },
  finished: { icon: "check", tone: "text-good" },
};

/** One line: what happens in a task or how it ended, and since when. For an idle task only its age. */
export function StateLine({ state: { state, since, tool, queued, executions, resumesAt } }: { state: TaskState }) {
  const text = useText();
  const format = useFormats();
  const wait = useWorkerWait(state === "running" ? executions : []);
  const age = <Age since={since} state={state} />;
  if (state === "idle") return age;
  const { icon, tone } = looks[wait === undefined ? state : "held"];
  const words = () => {
    if (wait !== undefined) return text.board.waitingForWorker(wait.worker.name);
    if (state === "running" && tool !== null) return text.tool.summary(tool);
    if (state === "waiting" && tool?.subject !== undefined) return text.board.waitingFor(tool.subject);
    if (state === "parked" && resumesAt !== undefined) return text.board.parkedUntil(format.dateTime(resumesAt));
    return state === "paused" ? text.flow.queue.pausedCount(queued) : text.board[state];
  };
  // a path or a command may be cut, a word like “Finished” may not
  const isLong = (state === "running" || state === "waiting") && tool !== null;
  return (
    <span className={`flex max-w-full items-center gap-1 ${isLong ? "min-w-0" : "shrink-0"}`}>
      <span className={`flex min-w-0 items-center gap-1 ${tone}`}>
        {icon === null ? <Spinner size={12} /> : <Icon className="shrink-0" name={icon} size={12} />}
        <span className="truncate">{words()}</span>
      </span>
      {age}
    </span>
  );
}

function Age({ since, state }: { since: number | null; state: TaskState["state"] }) {
  const text = useText();
  const format = useFormats();
  const now = useMinute();
  if (since === null) return null;
  // of the current minute only the beginning is known: what is younger is less than a minute old
  const age = format.age(now - since);
  return (
    <time
      className="shrink-0 tabular-nums"
      dateTime={new Date(since).toISOString()}
      title={text.board.since[state](format.dateTime(since))}
    >
      {state === "idle" ? age : `· ${age}`}
    </time>
  );
}

/** Who works on it, in how many attempts, what waits, and what it has cost. */
export function TaskNumbers({ state }: { state: TaskState }) {
  const text = useText();
  const agentName = useAgentName();
  const format = useFormats();
  return (
    <>
      {state.agent && <span className="truncate">{agentName(state.agent)}</span>}
      {state.attempts > 1 && <span className="whitespace-nowrap">{text.board.attempts(state.attempts)}</span>}
      <Changes state={state} />
      {state.checks && <Checks checks={state.checks} />}
      {state.pullRequest && <PullRequestBadge badge={state.pullRequest} />}
      {state.queued > 0 && state.state !== "paused" && (
        <span className="flex items-center gap-1">
          <Icon name={state.queuePaused ? "pause" : "clock"} size={12} />
          {state.queuePaused ? text.flow.queue.pausedCount(state.queued) : text.queue.title(state.queued)}
        </span>
      )}
      {state.costUsd !== null && state.costUsd > 0 && <span className="tabular-nums">{format.cost(state.costUsd)}</span>}
    </>
  );
}

function Checks({ checks }: { checks: NonNullable<TaskState["checks"]> }) {
  const { checks: words } = useText().board;
  const isOver = checks.kind === "check" || checks.ended === checks.total;
  const hasPassed = checks.kind === "race" ? checks.passed > 0 : checks.state === "passed";
  const label =
    checks.kind === "check"
      ? words.states[checks.state]
      : isOver
        ? words.race(checks.passed, checks.total)
        : words.racing(checks.ended, checks.total);
  return (
    <span className={`flex items-center gap-1 whitespace-nowrap ${isOver && hasPassed ? "text-good" : ""}`} data-checks="">
      <Icon name={!isOver ? "columns" : hasPassed ? "check" : "warning"} size={12} />
      {label}
    </span>
  );
}

function Changes({ state }: { state: TaskState }) {
  const text = useText();
  const { data: stat } = useQuery(diffStatQuery(state.reviewable));
  if (!stat || stat.files === 0 || state.reviewable === null) return null;
  return (
    <span className="flex items-center gap-1.5">
      <span className={stat.additions + stat.deletions > 0 ? "sr-only" : ""}>{text.tool.files(stat.files)} </span>
      <ChangeCount additions={stat.additions} deletions={stat.deletions} />
    </span>
  );
}
