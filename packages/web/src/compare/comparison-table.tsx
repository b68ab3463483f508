import type { Attempt } from "@skein/contracts";
import { type Ranking, rankAttempts } from "@skein/engine";
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { api } from "../api/api.ts";
import { checkQuery } from "../api/check-api.ts";
import { attemptsQuery } from "../api/queries.ts";
import { CheckView } from "../checks/check-state.tsx";
import { useRaceText } from "../checks/use-race-text.ts";
import { ChangeCount } from "../diff/change-count.tsx";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { addAttempt } from "../task/add-attempt.ts";
import type { TerminalCommand } from "../terminal/to-commands.ts";
import { Button } from "../ui/button.tsx";
import { useDisclosure } from "../ui/disclosure.tsx";
import { Chevron } from "../ui/disclosure-button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useMedia } from "../ui/use-media.ts";
import { ComparedFiles } from "./compared-files.tsx";
import { ComparedRow, cellClass } from "./compared-row.tsx";
import { RankingPanel } from "./ranking-panel.tsx";
import { compareFiles } from "./to-comparison.ts";
import { toRacer } from "./to-racer.ts";
import { type AttemptRecord, useAttemptRecords } from "./use-attempt-record.ts";

/** A column for each attempt. On a narrow screen, the name of a row is above its cells: there is no room for a column of names. */
export function ComparisonTable({ attempts }: { attempts: readonly Attempt[] }) {
  const isStacked = useMedia("(width < 40rem)");
  const text = useTaskText();
  const { compare: words } = text.taskPage;
  const format = useFormats();
  const records = useAttemptRecords(attempts);
  const files = compareFiles(records.map(({ diff }) => diff));
  const raceWords = useRaceText();
  const ranking = useRanking(records);
  const count = (value: number | undefined, isPartial = false) => {
    if (value === undefined) return "–";
    return isPartial ? text.execution.atLeast(format.tokens(value)) : format.tokens(value);
  };
  return (
    <>
      <RankingPanel attempts={attempts} ranking={ranking} />
      <table
        className="w-full table-fixed border-collapse text-sm"
        style={{ minWidth: `${(isStacked ? 0 : 10) + attempts.length * 9.5}rem` }}
      >
        <thead>
          <tr>
            {!isStacked && (
              <th className="w-40 pb-2 text-start font-normal lg:w-72" scope="col">
                <span className="sr-only">{words.title}</span>
              </th>
            )}
            {attempts.map((attempt) => (
              <th
                className="border-line border-s px-3 pb-2 text-start align-top font-normal max-sm:first:border-s-0"
                key={attempt.id}
                scope="col"
              >
                <ColumnHead attempt={attempt} place={(ranking?.order.indexOf(attempt.id) ?? -1) + 1} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.state}>
            {records.map(({ attempt, executions }) => {
              const last = executions?.at(-1);
              const state =
                last === undefined ? words.neverRan : last.status === "running" ? text.attempt.running : text.execution.status[last.status];
              return <Cell key={attempt.id}>{executions && state}</Cell>;
            })}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={raceWords.checks}>
            {records.map(({ attempt, executions }) => (
              <Cell key={attempt.id}>
                <CheckView attempt={attempt} canRun={executions !== undefined && executions.at(-1)?.status !== "running"} />
              </Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.cost}>
            {records.map(({ attempt, sums }) => (
              <Cell key={attempt.id}>{sums && (sums.usage.costUsd === undefined ? "–" : format.money(sums.usage.costUsd))}</Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.working}>
            {records.map(({ attempt, sums }) => (
              <Cell key={attempt.id}>
                {sums && (
                  <>
                    {format.duration(sums.workingMs)}{" "}
                    <span className="text-ink-faint">· {text.app.labelled(words.executions, String(sums.count))}</span>
                  </>
                )}
              </Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.waiting}>
            {records.map(({ attempt, sums }) => (
              <Cell key={attempt.id}>{sums && (sums.waitingMs === 0 ? words.neverWaited : format.duration(sums.waitingMs))}</Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.tokens}>
            {records.map(({ attempt, sums }) => (
              <Cell key={attempt.id}>
                {sums && (
                  <>
                    {text.execution.tokensIn(count(sums.usage.inputTokens, sums.usage.isPartial))} ·{" "}
                    {text.execution.tokensOut(count(sums.usage.outputTokens, sums.usage.isPartial))}
                  </>
                )}
              </Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.changes}>
            {records.map((record) => (
              <Cell key={record.attempt.id}>
                <Changes record={record} />
              </Cell>
            ))}
          </ComparedRow>
          <ComparedRow columns={attempts.length} isStacked={isStacked} name={words.commands}>
            {records.map((record) => (
              <Cell key={record.attempt.id}>
                <Commands record={record} />
              </Cell>
            ))}
          </ComparedRow>
          <ComparedFiles attempts={attempts} files={files} isStacked={isStacked} loaded={records.map(({ diff }) => diff !== undefined)} />
        </tbody>
      </table>
    </>
  );
}

/** Undefined until everything that it is made from is loaded. */
function useRanking(records: readonly AttemptRecord[]): Ranking | undefined {
  const checks = useQueries({
    queries: records.map(({ attempt }) => ({ ...checkQuery(attempt.id, attempt.check), enabled: attempt.check !== undefined })),
  });
  const racers = records.map((record, index) => toRacer(record, checks[index]?.data));
  return racers.every((racer) => racer !== undefined) ? rankAttempts(racers) : undefined;
}

/** A blank while it is being loaded. */
function Cell({ children }: { children: ReactNode }) {
  return <td className={`${cellClass} py-2 tabular-nums`}>{children ?? <Loading />}</td>;
}

function Loading() {
  const text = useTaskText();
  return (
    <span className="text-ink-faint">
      <span aria-hidden="true">…</span>
      <span className="sr-only">{text.taskPage.compare.loading}</span>
    </span>
  );
}

/** @param props.place from 1; 0: it has none yet */
function ColumnHead({ attempt, place }: { attempt: Attempt; place: number }) {
  const raceWords = useRaceText();
  const text = useTaskText();
  const agentName = useAgentName();
  const describe = useErrorText();
  const client = useQueryClient();
  const [error, setError] = useState<string | null>(null);
  const activate = () =>
    api.activateAttempt(attempt.id).then(
      (active) => void client.setQueryData(attemptsQuery(attempt.taskId).queryKey, (known) => addAttempt(known, active)),
      (failure: unknown) => setError(describe(failure)),
    );
  const restore = () => api.updateAttempt(attempt.id, { archived: false }).catch((failure: unknown) => setError(describe(failure)));
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2">
      <Link className="font-medium hover:underline" params={{ taskId: attempt.taskId }} search={{ attempt: attempt.id }} to="/t/$taskId">
        <span className="text-ink-faint tabular-nums">#{attempt.number}</span> {agentName(attempt.agent)}
      </Link>
      {place > 0 && (
        <span
          className={`rounded-full px-1.5 text-xs leading-5 tabular-nums ${place === 1 ? "bg-good text-canvas" : "bg-hover text-ink-soft"}`}
          title={raceWords.place(place)}
        >
          <span aria-hidden="true">{place}</span>
          <span className="sr-only">{raceWords.place(place)}</span>
        </span>
      )}
      {attempt.archived ? (
        <Button className="h-7!" onClick={() => void restore()}>
          {raceWords.restore}
        </Button>
      ) : attempt.active ? (
        <span className="my-1 rounded bg-accent-wash px-1.5 text-accent text-xs leading-5">{text.attempt.active}</span>
      ) : (
        <Button className="h-7!" onClick={() => void activate()}>
          {text.task.activate}
        </Button>
      )}
      {attempt.model && <span className="w-full truncate text-ink-faint text-xs">{attempt.model}</span>}
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}

function Changes({ record: { diff, error } }: { record: AttemptRecord }) {
  const text = useTaskText();
  const describe = useErrorText();
  if (error) return <ErrorText>{describe(error)}</ErrorText>;
  if (!diff) return <Loading />;
  const sum = (key: "additions" | "deletions") => diff.files.reduce((total, file) => total + file[key], 0);
  return (
    <span className="flex flex-wrap gap-2">
      {text.tool.files(diff.files.length)}
      <ChangeCount additions={sum("additions")} deletions={sum("deletions")} />
    </span>
  );
}

function Commands({ record: { attempt, commands, isPartial } }: { record: AttemptRecord }) {
  const text = useTaskText();
  const { compare: words } = text.taskPage;
  const [open, setOpen] = useDisclosure(`commands:${attempt.id}`);
  if (!commands) return <Loading />;
  const failed = commands.filter(isFailed).length;
  if (commands.length === 0) return words.noCommands;
  return (
    <>
      <button aria-expanded={open} className="flex items-center gap-2 rounded hover:bg-hover" onClick={() => setOpen(!open)} type="button">
        <Chevron open={open} />
        {commands.length > failed && <span className="whitespace-nowrap text-good">{words.passed(commands.length - failed)}</span>}
        {failed > 0 && <span className="whitespace-nowrap text-bad">{words.failed(failed)}</span>}
      </button>
      {isPartial && <p className="text-ink-faint text-xs">{words.partial}</p>}
      {open && (
        <ul className="mt-1 space-y-1">
          {commands.map((command) => (
            <li className="flex items-start gap-1.5 font-mono text-xs" key={command.messageId}>
              <Icon
                className={`mt-0.5 ${isFailed(command) ? "text-bad" : "text-good"}`}
                name={isFailed(command) ? "cross" : "check"}
                size={12}
              />
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{command.command}</span>
              {command.exitCode !== null && (
                <span className="shrink-0 font-sans text-ink-faint">{text.tool.exitCode(command.exitCode)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const isFailed = ({ state }: TerminalCommand): boolean => state !== "completed" && state !== "running";
