import type { AutomationRun } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useCodedText } from "../i18n/coded-text.ts";
import { useFormats } from "../i18n/locale.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

const looks: Record<AutomationRun["state"], string> = {
  open: "text-ink-soft",
  done: "text-good",
  skipped: "text-ink-soft",
  failed: "text-bad",
};

/** What an automation did, newest first: with its task, or the reason why there is none. */
export function RunList({ runs }: { runs: readonly AutomationRun[] }) {
  const { runs: words } = useAutomationsText();
  const format = useFormats();
  const coded = useCodedText();
  if (runs.length === 0) return <p className="text-ink-faint text-sm">{words.none}</p>;
  return (
    <ol aria-label={words.title} className="divide-y divide-line text-sm">
      {runs.map((run) => (
        <li className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 py-1.5" key={run.key}>
          <time className="text-ink-soft" dateTime={new Date(run.at).toISOString()}>
            {format.dateTime(run.at)}
          </time>
          <span className={looks[run.state]}>{words.states[run.state]}</span>
          {run.isManual && <span className="text-ink-faint text-xs">{words.manual}</span>}
          {run.taskId !== null && (
            <Link className="text-accent underline underline-offset-2" params={{ taskId: run.taskId }} to="/t/$taskId">
              {words.task}
            </Link>
          )}
          {run.reason !== null && (
            <span className="basis-full text-ink-soft [overflow-wrap:anywhere]">
              {typeof run.reason === "string" ? run.reason : coded(run.reason, run.reason.code)}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
