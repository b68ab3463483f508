import type { ProjectId } from "@skein/contracts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { usageQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { useTitle } from "../ui/use-title.ts";
import { UsageBars } from "./usage-bars.tsx";
import { lastDays, type Measure, toChart } from "./usage-chart.ts";
import { CostlyAttempts, UsageTable } from "./usage-tables.tsx";

const periods = ["7", "30", "90"] as const;
type Period = (typeof periods)[number];

/** The chosen period, measure and project, and the report for them. */
function useUsage() {
  const [period, setPeriod] = useState<Period>("30");
  const [chosen, setMeasure] = useState<Measure | null>(null);
  const [projectId, setProjectId] = useState<ProjectId | null>(null);
  const [now] = useState(Date.now);
  const { from, to, days } = useMemo(() => lastDays(now, Number(period)), [now, period]);
  const { data: report, error } = useQuery({ ...usageQuery({ from, to, projectId }), placeholderData: keepPreviousData });
  // Where no agent reports costs, tokens are more useful than an empty chart.
  const measure = chosen ?? (report?.days.some(({ costUsd }) => costUsd !== null && costUsd > 0) ? "cost" : "tokens");
  const chart = useMemo(() => report && toChart(report, days, measure), [report, days, measure]);
  return { period, setPeriod, measure, setMeasure, projectId, setProjectId, report, chart, error };
}

export function UsagePage() {
  const { shell } = useSettingsText();
  const words = shell.usage;
  const describe = useErrorText();
  const { data: projects = [] } = useQuery(projectsQuery);
  const { period, setPeriod, measure, setMeasure, projectId, setProjectId, report, chart, error } = useUsage();
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
