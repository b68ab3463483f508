import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { importApi, importRunsQuery, importSourcesQuery } from "../api/import-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon, Spinner } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { useTitle } from "../ui/use-title.ts";
import { type Choices, listChosen } from "./chosen-sessions.ts";
import { ImportFile } from "./import-file.tsx";
import { ImportRuns } from "./import-runs.tsx";
import { ImportSettings } from "./import-settings.tsx";
import { ImportSourceList } from "./import-source-list.tsx";
import { useImportText } from "./use-import-text.ts";

/** Sessions of other programs: what was found, what to import, and how far it is. */
export function ImportPage() {
  const words = useImportText();
  const format = useFormats();
  const describe = useErrorText();
  const client = useQueryClient();
  const { data, error, isFetching, refetch } = useQuery(importSourcesQuery);
  const { data: imports } = useQuery(importRunsQuery);
  const [choices, setChoices] = useState<Choices>(new Map());
  const action = useAction();
  useTitle(words.title);

  const runs = imports?.runs ?? [];
  const isRunning = runs.some(({ endedAt }) => endedAt === null);
  const ended = imports?.runs.flatMap(({ id, endedAt }) => (endedAt === null ? [] : [id])).join(" ");
  const known = useRef(ended);
  useEffect(() => {
    // the states of the sessions have changed, also by an import that was too short to be seen running
    if (known.current !== undefined && known.current !== ended) void refetch();
    known.current = ended;
  }, [ended, refetch]);

  const sources = data?.sources ?? [];
  const chosen = listChosen(sources, choices);
  const sessions = chosen.flatMap((one) => one.sessions);
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 0);
  const start = async () => {
    for (const one of chosen) await importApi.start({ source: one.source, sessions: one.sessions.map(({ id }) => id) });
    setChoices(new Map());
    await client.invalidateQueries({ queryKey: importRunsQuery.queryKey });
  };
  const isEmpty = data !== undefined && sources.every(({ places }) => places.length === 0);
  return (
    <div className="mx-auto w-full max-w-3xl p-3 pb-12 sm:p-6">
      <div className="flex flex-wrap items-start gap-3">
        <h1 className="min-w-0 flex-1 font-semibold text-lg">{words.title}</h1>
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {isFetching ? <Spinner size={14} /> : <Icon name="refresh" size={14} />}
          {isFetching ? words.looking : words.again}
        </Button>
      </div>
      <p className="mt-1 max-w-prose text-ink-soft text-sm">{words.what}</p>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {isEmpty && (
        <p className="mt-6 text-ink-soft" role="status">
          {words.nothing}
        </p>
      )}
      {sources.length > 0 && !isEmpty && (
        <div className="sticky top-0 z-10 mt-4 flex flex-wrap items-center gap-3 border-line border-b bg-canvas py-2">
          <Button disabled={sessions.length === 0 || isRunning || action.busy} look="primary" onClick={() => void action.run(start)}>
            {words.start}
          </Button>
          {isRunning && <Button onClick={() => void action.run(importApi.stop)}>{words.stop}</Button>}
          <p aria-live="polite" className="text-ink-soft text-sm">
            {words.chosen(sessions.length, format.bytes(bytes))}
          </p>
        </div>
      )}
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <ImportFile />
      <ImportRuns names={new Map([...sources.map(({ source, name }) => [source, name] as const), ["skein", words.file]])} runs={runs} />
      {sources
        .filter(({ places }) => places.length > 0)
        .map((source) => (
          <ImportSourceList choices={choices} info={source} key={source.source} onChoose={setChoices} />
        ))}
      <ImportSettings />
    </div>
  );
}
