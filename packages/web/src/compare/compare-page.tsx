import type { Attempt, Task } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useRef } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { isNotFound } from "../api/api-error.ts";
import { attemptsQuery, taskQuery } from "../api/queries.ts";
import { useRaceText } from "../checks/use-race-text.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { buttonClass } from "../ui/button.tsx";
import { DisclosureProvider } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { FailedPage, NotFoundPage } from "../ui/message-pages.tsx";
import { ScrollHint } from "../ui/scroll-hint.tsx";
import { useOverflow } from "../ui/use-overflow.ts";
import { useTitle } from "../ui/use-title.ts";
import { chooseAttempts, toggleAttempt } from "./choose-attempts.ts";
import { ComparisonTable } from "./comparison-table.tsx";

/** Attempts of one task side by side: what each changed, ran, took and cost. */
export function ComparePage() {
  const { taskId } = useParams({ from: "/t/$taskId/compare" });
  const { data: task, error } = useQuery(taskQuery(taskId));
  const { data: attempts } = useQuery(attemptsQuery(taskId));
  if (error && !task) return isNotFound(error) ? <NotFoundPage /> : <FailedPage error={error} />;
  if (!task || !attempts) return null;
  return <Comparison attempts={attempts} task={task} />;
}

function Comparison({ task, attempts }: { task: Task; attempts: readonly Attempt[] }) {
  const text = useTaskText();
  const { compare: words } = text.taskPage;
  const search = useSearch({ from: "/t/$taskId/compare" });
  const navigate = useNavigate();
  const agentName = useAgentName();
  const raceWords = useRaceText();
  const chosen = chooseAttempts(attempts, search.attempts);
  const scroller = useRef<HTMLDivElement>(null);
  const shown = chosen.map(({ id }) => id).join();
  const overflow = useOverflow(scroller, shown);
  useTitle(`${words.title} · ${task.title}`);
  return (
    <div className="flex h-full flex-col">
      <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-2 py-1 sm:px-3">
        <Link
          aria-label={words.back}
          className={buttonClass("quiet", "px-1.5")}
          params={{ taskId: task.id }}
          title={words.back}
          to="/t/$taskId"
        >
          <Icon name="arrowLeft" />
        </Link>
        <h1 className="min-w-40 flex-1 truncate font-semibold" title={task.title}>
          {task.title}
        </h1>
        <fieldset className="flex flex-wrap gap-1">
          <legend className="sr-only">{words.choose}</legend>
          {attempts.map((attempt) => (
            <label
              className="flex h-7 pointer-coarse:h-10 cursor-pointer items-center gap-1.5 rounded-md border border-line px-2 text-sm has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent"
              key={attempt.id}
            >
              <input
                checked={chosen.some(({ id }) => id === attempt.id)}
                className="accent-(--accent)"
                onChange={() =>
                  void navigate({
                    to: "/t/$taskId/compare",
                    params: { taskId: task.id },
                    search: { attempts: toggleAttempt(chosen, attempt.id, attempts) },
                    replace: true,
                  })
                }
                type="checkbox"
              />
              <span className="text-ink-faint tabular-nums">#{attempt.number}</span>
              {agentName(attempt.agent)}
              {attempt.archived && <span className="text-ink-faint text-xs">{raceWords.isArchived}</span>}
            </label>
          ))}
        </fieldset>
      </header>
      <div className="relative flex min-h-0 flex-1">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <div className="scroll-quiet min-w-0 flex-1 overflow-auto p-3 sm:p-4" onScroll={overflow.update} ref={scroller} tabIndex={0}>
          {attempts.length < 2 ? (
            <p className="py-12 text-center text-ink-soft">{words.none}</p>
          ) : (
            <DisclosureProvider key={shown}>
              <ComparisonTable attempts={chosen} />
            </DisclosureProvider>
          )}
        </div>
        {overflow.start && <ScrollHint className="top-2 h-11" scrolled={scroller} side="start" />}
        {overflow.end && <ScrollHint className="top-2 h-11" scrolled={scroller} side="end" />}
      </div>
    </div>
  );
}
