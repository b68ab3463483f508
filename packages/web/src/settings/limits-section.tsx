import type { RunningLimits } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentsQuery, projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useMe } from "../team/me.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { BudgetFields } from "./budget-fields.tsx";
import { FallbackLists } from "./fallback-list.tsx";
import { ResourceFields } from "./resource-fields.tsx";
import { NumberSetting } from "./setting-fields.tsx";
import { useLimitsText } from "./use-limits-text.ts";
import { WaitingList } from "./waiting-list.tsx";

const most = 1000;

/** How many agents may run at once, and what waits because of that. */
export function LimitsSection() {
  const words = useLimitsText();
  const describe = useErrorText();
  const { data: settings, error } = useQuery(settingsQuery);
  const canChange = useMe()?.isAdmin ?? true;
  return (
    <div className="max-w-xl space-y-8">
      <p className="text-ink-soft text-sm">{words.about}</p>
      {error && <ErrorText>{describe(error)}</ErrorText>}
      {settings && <LimitFields disabled={!canChange} limits={settings.general.limits} />}
      {settings && (
        <>
          <BudgetFields budgets={settings.general.budgets} disabled={!canChange} parking={settings.general.parking} />
          <ResourceFields disabled={!canChange} resources={settings.general.resources} />
          <FallbackLists disabled={!canChange} parking={settings.general.parking} />
        </>
      )}
      <WaitingList />
    </div>
  );
}

function LimitFields({ limits, disabled }: { limits: RunningLimits; disabled: boolean }) {
  const words = useLimitsText();
  const client = useQueryClient();
  const { data: list } = useQuery(agentsQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const { error, run } = useAction();
  const agents = list?.agents.filter(({ available, id }) => available || limits.perAgent[id] !== undefined) ?? [];
  const change = (changes: Partial<RunningLimits>) =>
    void run(async () => {
      const general = await settingsApi.setGeneral({ limits: changes });
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: words.saved, tone: "plain" });
    });
  const field = (label: string, value: number | null | undefined, onChange: (value: number | null) => void) => (
    <NumberSetting
      disabled={disabled}
      emptyLabel={words.noLimit}
      key={label}
      label={label}
      max={most}
      min={1}
      note={null}
      onChange={onChange}
      value={value ?? null}
    />
  );
  return (
    <>
      {error && <ErrorText>{error}</ErrorText>}
      {field(words.running, limits.running, (running) => change({ running }))}
      {agents.length > 0 && (
        <fieldset className="space-y-3">
          <legend className="mb-2 font-semibold">{words.perAgent}</legend>
          {agents.map(({ id, name }) =>
            field(name, limits.perAgent[id], (value) => change({ perAgent: withEntry(limits.perAgent, id, value) })),
          )}
        </fieldset>
      )}
      {projects.length > 1 && (
        <fieldset className="space-y-3">
          <legend className="mb-2 font-semibold">{words.perProject}</legend>
          {projects.map(({ id, name }) =>
            field(name, limits.perProject[id], (value) => change({ perProject: withEntry(limits.perProject, id, value) })),
          )}
        </fieldset>
      )}
    </>
  );
}

/** Null removes it. */
function withEntry<Key extends string>(map: Readonly<Record<Key, number>>, key: Key, value: number | null): Record<Key, number> {
  const { [key]: _, ...others } = map;
  return (value === null ? others : { ...others, [key]: value }) as Record<Key, number>;
}
