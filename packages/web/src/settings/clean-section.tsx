import type { CleanPlan, CleanRun } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { cleanPlanQuery, cleanRunQuery, startClean } from "../api/clean-api.ts";
import { storageQuery } from "../api/shell-api.ts";
import { useFormats } from "../i18n/locale.tsx";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Spinner } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
import { useAction } from "../ui/use-action.ts";
import { CleanItems, KeptItems } from "./clean-items.tsx";
import { useCleanText } from "./use-clean-text.ts";

const ages = [0, 7, 30, 90, 365];

/** Shows what can be removed without losing work, and removes what the user leaves chosen. */
export function CleanSection() {
  const words = useCleanText();
  const describe = useErrorText();
  const client = useQueryClient();
  const [days, setDays] = useState(7);
  const plan = useQuery(cleanPlanQuery(days));
  const { data: last } = useQuery(cleanRunQuery);
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const run = last?.run ?? null;
  const isRunning = run?.endedAt === null;
  const isOver = startedAt !== null && run !== null && run.startedAt >= startedAt && !isRunning;
  const { refetch } = plan;
  const hasPlan = plan.data !== undefined;

  // what was removed is in no plan any more
  useEffect(() => {
    if (!isOver) return;
    if (hasPlan) void refetch();
    void client.invalidateQueries(storageQuery);
    setStartedAt(null);
  }, [isOver, hasPlan, refetch, client]);

  return (
    <section aria-labelledby="clean-up" className="mt-8 max-w-3xl">
      <h3 className="font-semibold" id="clean-up">
        {words.title}
      </h3>
      <p className="mt-1 text-ink-soft text-sm">{words.about}</p>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <Select
          label={words.unusedFor}
          onChange={(value) => setDays(Number(value))}
          options={ages.map((age) => ({ value: String(age), label: age === 0 ? words.anyTime : words.days(age) }))}
          value={String(days)}
        />
        <Button disabled={plan.isFetching || isRunning} onClick={() => void refetch()}>
          {plan.isFetching && <Spinner size={14} />}
          {plan.isFetching ? words.looking : words.show}
        </Button>
      </div>
      {plan.error && <ErrorText>{describe(plan.error)}</ErrorText>}
      {run !== null && <RunState run={run} />}
      {plan.data && !isRunning && (
        <Plan
          days={days}
          key={plan.data.plannedAt}
          onStarted={(started) => {
            setStartedAt(started.startedAt);
            client.setQueryData(cleanRunQuery.queryKey, { run: started });
            void client.invalidateQueries(cleanRunQuery);
          }}
          plan={plan.data}
        />
      )}
    </section>
  );
}

function RunState({ run }: { run: CleanRun }) {
  const words = useCleanText();
  const format = useFormats();
  const removed = run.results.flatMap((result) => (result.outcome === "removed" ? [result.bytes ?? 0] : []));
  const kept = run.results.filter(({ outcome }) => outcome === "kept").length;
  const failure = run.results.find((result) => result.outcome === "failed");
  return (
    <div className="mt-3 text-sm" role="status">
      {run.endedAt === null ? (
        <p className="flex items-center gap-2">
          <Spinner size={14} />
          {words.removing(run.results.length, run.total)}
        </p>
      ) : (
        <p>{words.done(removed.length, format.bytes(removed.reduce((sum, bytes) => sum + bytes, 0)))}</p>
      )}
      {kept > 0 && <p>{words.keptAfterAll(kept)}</p>}
      {failure && <ErrorText>{words.failed(failure.detail)}</ErrorText>}
    </div>
  );
}

function Plan({ plan, days, onStarted }: { plan: CleanPlan; days: number; onStarted(run: CleanRun): void }) {
  const words = useCleanText();
  const format = useFormats();
  const { busy, error, run } = useAction();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const chosen = plan.items.filter(({ id }) => !left.has(id));
  const bytes = chosen.reduce((sum, item) => sum + (item.bytes ?? 0), 0);
  const toggle = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(left);
    for (const id of ids)
      if (isChosen) next.delete(id);
      else next.add(id);
    setLeft(next);
  };
  return (
    <div className="mt-4">
      {plan.items.length === 0 ? (
        <p className="text-sm">{words.nothing}</p>
      ) : (
        <>
          <CleanItems items={plan.items} left={left} now={plan.plannedAt} onToggle={toggle} />
          {error && <ErrorText>{error}</ErrorText>}
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <Button
              disabled={busy || chosen.length === 0}
              look="danger"
              onClick={() => void run(async () => onStarted(await startClean({ ids: chosen.map(({ id }) => id), olderThanDays: days })))}
            >
              {words.remove}
            </Button>
            <span className="text-ink-soft text-sm">{words.chosen(chosen.length, format.bytes(bytes))}</span>
          </div>
        </>
      )}
      {plan.kept.length > 0 && <KeptItems kept={plan.kept} />}
    </div>
  );
}
