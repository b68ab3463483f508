import type { ProjectId, Template } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { templatesQuery } from "../api/automation-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { SettingButton } from "./setting-button.tsx";

const none = "none";

/** The templates of the project, if it has some. */
export function TemplateChoice(props: { projectId: ProjectId; value: Template | null; onChange(template: Template | null): void }) {
  const { template: words } = useTaskText().start;
  const { data = [] } = useQuery(templatesQuery);
  const templates = data.filter(({ projectId }) => projectId === props.projectId);
  if (templates.length === 0) return null;
  return (
    <Menu
      entries={[
        menuChoices({
          label: words.label,
          value: props.value?.id ?? none,
          choices: [{ value: none, label: words.none }, ...templates.map(({ id, name }) => ({ value: id as string, label: name }))],
          onChoose: (id) => props.onChange(templates.find((template) => template.id === id) ?? null),
        }),
      ]}
      trigger={<SettingButton icon="file" label={words.label} value={props.value?.name ?? words.label} />}
    />
  );
}

/** A field for each variable of the chosen template. */
export function TemplateVariables(props: {
  names: readonly string[];
  values: ReadonlyMap<string, string>;
  onChange(name: string, value: string): void;
}) {
  const { template: words } = useTaskText().start;
  if (props.names.length === 0) return null;
  return (
    <fieldset className="grid gap-x-3 gap-y-2 px-2 pt-1 pb-2 sm:grid-cols-2">
      <legend className="sr-only">{words.variables}</legend>
      {props.names.map((name) => (
        <label className="min-w-0 text-ink-soft text-xs" key={name}>
          <span className="mb-0.5 block truncate font-mono">{name}</span>
          <input
            autoComplete="off"
            className="h-8 pointer-coarse:h-11 w-full rounded-md border border-line-strong bg-canvas px-2 text-ink text-sm"
            maxLength={10_000}
            onChange={(event) => props.onChange(name, event.target.value)}
            value={props.values.get(name) ?? ""}
          />
        </label>
      ))}
    </fieldset>
  );
}
