import type { ProjectId, UsageReport } from "@skein/contracts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { projectsQuery } from "../api/queries.ts";
import { usageQuery } from "../api/shell-api.ts";
import { useFormats, useText } from "../i18n/locale.tsx";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { Select } from "../ui/select.tsx";
import { useTitle } from "../ui/use-title.ts";
import { UsageBars } from "./usage-bars.tsx";
import { lastDays, type Measure, toChart } from "./usage-chart.ts";

const periods = ["7", "30", "90"] as const;
type Period = (typeof periods)[number];

export function UsagePage() {
  const { shell } = useText();
  const words = shell.usage;
  const describe = useErrorText();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [period, setPeriod] = useState<Period>("30");
  const [chosen, setMeasure] = useState<Measure | null>(null);
  const [projectId, setProjectId] = useState<ProjectId | null>(null);
  const [now] = useState(Date.now);
  const { from, to, days } = useMemo(() => lastDays(now, Number(period)), [now, period]);
  const { data: report, error } = useQuery({ ...usageQuery({ from, to, projectId }), placeholderData: keepPreviousData });
  // Where no agent reports costs, tokens are more useful than an empty chart.
  const measure = chosen ?? (report?.days.some(({ costUsd }) => costUsd !== null && costUsd > 0) ? "cost" : "tokens");
  const chart = useMemo(() => report && toChart(report, days, measure), [report, days, measure]);
  useTitle(words.title);
  return (
    <div className="mx-auto w-full max-w-4xl space-y-6 p-3 pb-12 sm:p-6">
      <header>
        <h1 className="font-semibold text-lg">{words.title}</h1>
        <p className="text-ink-soft text-sm">{words.text}</p>
      </header>
      <div className="flex flex-wrap items-end gap-4">
        <ChoiceGroup<Period>
          choices={periods.map((value) => ({ value, label: words.last(Number(value)) }))}
          label={words.range}
          onChange={setPeriod}
          value={period}
        />
        <ChoiceGroup<Measure>
          choices={[
            { value: "cost", label: words.cost },
            { value: "tokens", label: words.tokens },
          ]}
          label={words.measure}
          onChange={setMeasure}
          value={measure}
        />
        <div className="w-52">
          <Select
            label={words.project}
            onChange={(value) => setProjectId(value === "" ? null : (value as ProjectId))}
            options={[{ value: "", label: words.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
            value={projectId ?? ""}
          />
        </div>
      </div>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {report?.days.length === 0 && <p className="py-10 text-center text-ink-soft text-sm">{words.none}</p>}
      {chart && report && report.days.length > 0 && (
        <>
          <UsageBars chart={chart} measure={measure} />
          <UsageTable report={report} />
          <CostlyAttempts report={report} />
        </>
      )}
    </div>
  );
}

const head = "whitespace-nowrap border-line border-b px-2 py-1.5 font-medium text-ink-faint text-xs";
const cell = "border-line border-b px-2 py-1.5";
const number = `${cell} text-end tabular-nums whitespace-nowrap`;

/** A count of tokens: of an agent that reports only some of its requests it is the least that it can be. */
function useCount(): (row: { isPartial: boolean }, count: string) => string {
  const { execution } = useText();
  return ({ isPartial }, count) => (isPartial ? execution.atLeast(count) : count);
}

/** The numbers of the bars as a table. */
function UsageTable({ report }: { report: UsageReport }) {
  const agentName = useAgentName();
  const { shell } = useText();
  const words = shell.usage;
  const format = useFormats();
  const toCount = useCount();
  return (
    <details>
      <summary className="cursor-pointer py-1 font-medium text-sm">{words.asTable}</summary>
      <ScrollBox className="mt-2">
        <table className="w-full border-separate border-spacing-0 text-sm">
          <thead>
            <tr>
              {[words.day, words.agent].map((label) => (
                <th className={`${head} text-start`} key={label} scope="col">
                  {label}
                </th>
              ))}
              {[words.executions, words.input, words.output, words.cost].map((label) => (
                <th className={`${head} text-end`} key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {report.days.map((row) => (
              <tr key={`${row.day} ${row.agent}`}>
                <th className={`${cell} whitespace-nowrap text-start font-normal`} scope="row">
                  {format.date(new Date(`${row.day}T12:00`).getTime())}
                </th>
                <td className={cell}>{agentName(row.agent)}</td>
                <td className={number}>{format.number(row.executions)}</td>
                <td className={number}>{toCount(row, format.number(row.inputTokens))}</td>
                <td className={number}>{toCount(row, format.number(row.outputTokens))}</td>
                <td className={number}>{row.costUsd === null ? words.unknown : format.money(row.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </details>
  );
}

function CostlyAttempts({ report }: { report: UsageReport }) {
  const agentName = useAgentName();
  const { shell, attempt: attemptText } = useText();
  const words = shell.usage;
  const format = useFormats();
  const toCount = useCount();
  return (
    <section>
      <h2 className="mb-1 font-medium text-sm">{words.attempts}</h2>
      <ScrollBox>
        <table className="w-full border-separate border-spacing-0 text-sm">
          <thead>
            <tr>
              <th className={`${head} text-start`} scope="col">
                {words.task}
              </th>
              <th className={`${head} text-start max-sm:hidden`} scope="col">
                {words.agent}
              </th>
              <th className={`${head} text-end`} scope="col">
                {words.tokens}
              </th>
              <th className={`${head} text-end`} scope="col">
                {words.cost}
              </th>
            </tr>
          </thead>
          <tbody>
            {report.attempts.map((row) => (
              <tr key={row.attemptId}>
                <th className={`${cell} w-full max-w-0 text-start font-normal`} scope="row">
                  <Link
                    className="block truncate underline-offset-2 hover:underline"
                    params={{ taskId: row.taskId }}
                    search={{ attempt: row.attemptId }}
                    to="/t/$taskId"
                  >
                    {row.taskTitle}
                    <span className="text-ink-faint"> · {attemptText.label(row.number)}</span>
                  </Link>
                </th>
                <td className={`${cell} whitespace-nowrap max-sm:hidden`}>{agentName(row.agent)}</td>
                <td className={number}>{toCount(row, format.tokens(row.inputTokens + row.outputTokens))}</td>
                <td className={number}>{row.costUsd === null ? words.unknown : format.money(row.costUsd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </section>
  );
}
