import type { ImportOrigin, ImportRun } from "@skein/contracts";
import { Link } from "@tanstack/react-router";
import { useFormats } from "../i18n/locale.tsx";
import { ImportProblems } from "./import-problems.tsx";
import { useImportText } from "./use-import-text.ts";

const shown = 5;

/** Progress and results of imports, the newest first. */
export function ImportRuns({ runs, names }: { runs: readonly ImportRun[]; names: ReadonlyMap<ImportOrigin, string> }) {
  const words = useImportText();
  if (runs.length === 0) return null;
  return (
    <section aria-labelledby="import-runs" className="mt-4">
      <h2 className="font-medium text-sm" id="import-runs">
        {words.runs}
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {runs.slice(0, shown).map((run) => (
          <RunRow key={run.id} name={names.get(run.source) ?? run.source} run={run} />
        ))}
      </ul>
    </section>
  );
}

function RunRow({ run, name }: { run: ImportRun; name: string }) {
  const words = useImportText();
  const format = useFormats();
  const isOpen = run.endedAt === null;
  return (
    <li className="py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{name}</span>
        <span className={run.state === "failed" ? "text-danger" : "text-ink-soft"} role="status">
          {words.runState(run.state)}
        </span>
        <span className="text-ink-faint tabular-nums">
          {isOpen
            ? words.progress(format.number(run.finished), format.number(run.sessions))
            : words.result({ ...run, messages: format.number(run.messages) })}
        </span>
      </p>
      {run.taskId !== undefined && !isOpen && (
        <Link className="text-accent hover:underline" params={{ taskId: run.taskId }} to="/t/$taskId">
          {words.open}
        </Link>
      )}
      {isOpen && (
        <progress
          aria-label={name}
          className="bar mt-1 h-1.5 w-full"
          max={Math.max(run.bytes, 1)}
          value={run.state === "waiting" ? 0 : run.finishedBytes}
        />
      )}
      <ImportProblems further={run.furtherProblems} problems={run.problems} />
    </li>
  );
}
