import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { attemptUseQuery } from "../api/clean-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { useCleanText } from "./use-clean-text.ts";

const most = 25;

/** What the largest attempts have on disk, on workers too. */
export function AttemptUseTable() {
  const words = useCleanText();
  const format = useFormats();
  const describe = useErrorText();
  const { data: use, error, isFetching, refetch } = useQuery(attemptUseQuery);
  const cell = (bytes: number) => <td className="px-2 text-end tabular-nums">{format.bytes(bytes)}</td>;
  return (
    <section aria-labelledby="attempt-use" className="mt-8 max-w-3xl">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="flex-1 font-semibold" id="attempt-use">
          {words.use}
        </h3>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching && <Spinner size={14} />}
          {words.measure}
        </Button>
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {use?.attempts.length === 0 && <p className="mt-2 text-sm">{words.noUse}</p>}
      {use !== undefined && use.attempts.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by keyboard
        <section aria-labelledby="attempt-use" className="mt-2 overflow-x-auto" tabIndex={0}>
          <table className="w-full text-sm">
            <thead>
              <tr className="text-ink-faint text-xs">
                {Object.entries(words.columns).map(([name, title]) => (
                  <th className={`px-2 py-1 font-normal ${name === "attempt" ? "text-start" : "text-end"}`} key={name} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {use.attempts
                .slice(0, most)
                .map(({ attemptId, taskId, taskTitle, number, worktree, executionLogs, outputs, sandboxHome }) => (
                  <tr key={attemptId}>
                    <th className="min-w-40 px-2 py-1 text-start font-normal [overflow-wrap:anywhere]" scope="row">
                      <Link params={{ taskId }} to="/t/$taskId">
                        {words.attempt(taskTitle, number)}
                      </Link>
                    </th>
                    {cell(worktree)}
                    {cell(executionLogs + outputs)}
                    {cell(sandboxHome)}
                    {cell(worktree + executionLogs + outputs + sandboxHome)}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
      {use !== undefined && use.attempts.length > most && (
        <p className="mt-1 text-ink-faint text-xs">{words.more(use.attempts.length - most)}</p>
      )}
      {use !== undefined && use.missingHosts.length > 0 && (
        <p className="mt-1 text-sm text-warn">{words.missing(use.missingHosts.length)}</p>
      )}
    </section>
  );
}
