import type { ProjectId, ResourceSettings } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { projectsQuery } from "../api/queries.ts";
import { putSettings, settingsApi } from "../api/shell-api.ts";
import { ErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";
import { useAction } from "../ui/use-action.ts";
import { NumberSetting } from "./setting-fields.tsx";
import { useLimitsText } from "./use-limits-text.ts";

const mostMemoryGb = 65_536;
const mostProcesses = 4_000_000;

/** What the processes of one execution may use together: for all projects, and for one. */
export function ResourceFields({ resources, disabled }: { resources: ResourceSettings; disabled: boolean }) {
  const words = useLimitsText();
  const client = useQueryClient();
  const { error, run } = useAction();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<ProjectId | null>(null);
  const project = projects.find(({ id }) => id === chosen);
  const own: ResourceSettings["perProject"][ProjectId] = project === undefined ? resources : (resources.perProject[project.id] ?? {});
  const save = (changes: Partial<ResourceSettings>) =>
    void run(async () => {
      const general = await settingsApi.setGeneral({ resources: changes });
      putSettings(client, (known) => ({ ...known, general }));
      showToast({ text: words.saved, tone: "plain" });
    });
  /** Without a value, the project has the limit of all projects. */
  const change = (field: "memoryMb" | "processes", value: number | null) => {
    if (project === undefined) return save(field === "memoryMb" ? { memoryMb: value } : { processes: value ?? 0 });
    const { [field]: _, ...others } = own;
    const changed = value === null ? others : { ...others, [field]: value };
    save({ perProject: { ...resources.perProject, [project.id]: changed } });
  };
  const note = (text: string) => <p className="mt-1 text-ink-faint text-xs">{text}</p>;
  return (
    <section aria-labelledby="settings-resources" className="space-y-4">
      <div>
        <h3 className="font-semibold" id="settings-resources">
          {words.resources}
        </h3>
        <p className="text-ink-soft text-sm">{words.aboutResources}</p>
      </div>
      {error && <ErrorText>{error}</ErrorText>}
      {projects.length > 0 && (
        <Select
          label={words.resourcesOf}
          onChange={(id) => setChosen(projects.find((one) => one.id === id)?.id ?? null)}
          options={[{ value: "", label: words.allProjects }, ...projects.map(({ id, name }) => ({ value: id, label: name }))]}
          value={project?.id ?? ""}
        />
      )}
      <NumberSetting
        disabled={disabled}
        emptyLabel={project === undefined ? words.mostOfMemory : words.asForAll}
        isFraction
        key={`memory ${project?.id}`}
        label={words.memory}
        max={mostMemoryGb}
        min={0}
        note={note(words.aboutMemory)}
        onChange={(gigabytes) => change("memoryMb", gigabytes === null ? null : Math.round(gigabytes * 1024))}
        value={own.memoryMb == null ? null : own.memoryMb / 1024}
      />
      <NumberSetting
        disabled={disabled}
        key={`processes ${project?.id}`}
        label={words.processes}
        max={mostProcesses}
        min={0}
        note={note(words.aboutProcesses)}
        onChange={(count) => change("processes", count)}
        value={own.processes ?? null}
        {...(project === undefined ? {} : { emptyLabel: words.asForAll })}
      />
    </section>
  );
}
