import type { Fallback, ParkingSettings, ProjectId } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { agentsQuery, projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi } from "../api/shell-api.ts";
import { IconButton } from "../ui/button.tsx";
import { ErrorText } from "../ui/error-text.tsx";
import { Icon } from "../ui/icon.tsx";
import { useAction } from "../ui/use-action.ts";
import { useLimitsText } from "./use-limits-text.ts";

/** Who continues, project by project, when the provider of an agent accepts no more requests. */
export function FallbackLists({ parking, disabled }: { parking: ParkingSettings; disabled: boolean }) {
  const words = useLimitsText();
  const { data: projects = [] } = useQuery(projectsQuery);
  if (projects.length === 0) return null;
  return (
    <section className="space-y-4">
      <div>
        <h3 className="font-semibold">{words.fallbacks}</h3>
        <p className="text-ink-soft text-sm">{words.aboutFallbacks}</p>
      </div>
      {projects.map(({ id, name }) => (
        <FallbackList disabled={disabled} key={id} name={name} parking={parking} projectId={id} />
      ))}
    </section>
  );
}

function FallbackList(props: { projectId: ProjectId; name: string; parking: ParkingSettings; disabled: boolean }) {
  const { projectId, name, parking, disabled } = props;
  const words = useLimitsText();
  const client = useQueryClient();
  const { data: list } = useQuery(agentsQuery);
  const { busy, error, run } = useAction();
  const { fallbacks = [] } = parking.perProject[projectId] ?? {};
  const nameOf = (agent: string): string => list?.agents.find(({ id }) => id === agent)?.name ?? agent;
  const save = (changed: Fallback[]) =>
    void run(async () => {
      const perProject = { ...parking.perProject, [projectId]: { ...parking.perProject[projectId], fallbacks: changed } };
      const general = await settingsApi.setGeneral({ parking: { perProject } });
      putSettings(client, (known) => ({ ...known, general }));
    });
  return (
    <div>
      <p className="font-medium text-sm">{name}</p>
      {fallbacks.length > 0 && (
        <ol aria-label={words.fallbacksOf(name)} className="mt-1 divide-y divide-line rounded-lg border border-line">
          {fallbacks.map((one, index) => (
            <li className="flex items-center gap-2 px-3 py-1 text-sm" key={`${one.agent} ${one.model}`}>
              <span className="min-w-0 flex-1 truncate">
                {nameOf(one.agent)}
                {one.model !== null && ` · ${one.model}`}
              </span>
              <IconButton
                disabled={disabled || busy}
                label={words.removeFallback(nameOf(one.agent))}
                onClick={() => save(fallbacks.filter((_, place) => place !== index))}
              >
                <Icon name="cross" size={14} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      <select
        aria-label={words.addFallback(name)}
        className="mt-1.5 h-8 max-w-full rounded-md border border-line bg-raised px-2 text-sm max-sm:h-10"
        disabled={disabled || busy}
        onChange={(event) => {
          const agent = event.target.value;
          if (agent !== "" && !fallbacks.some((one) => one.agent === agent)) save([...fallbacks, { agent, model: null }]);
        }}
        value=""
      >
        <option value="">{words.chooseFallback}</option>
        {list?.agents.map(({ id, name: agentName }) => (
          <option key={id} value={id}>
            {agentName}
          </option>
        ))}
      </select>
      {error && <ErrorText>{error}</ErrorText>}
    </div>
  );
}
