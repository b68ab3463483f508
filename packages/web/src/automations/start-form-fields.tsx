import type { StartForm } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { listModes } from "../agents/mode-hint.ts";
import { toModelChoices } from "../agents/model-choices.ts";
import { agentsQuery } from "../api/queries.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { chooseAgent } from "../start/choose-agent.ts";
import { Field, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useAutomationsText } from "./use-automations-text.ts";

const promptClass =
  "field-sizing-content min-h-24 max-h-72 w-full rounded-md border border-line-strong bg-canvas px-2.5 py-1.5 text-sm placeholder:text-ink-faint";
/** No value that could be chosen looks like it. */
const byDefault = "";

/** What a task is started with: its prompt, title, agent and settings. What is left open is decided by the settings when it starts. */
export function StartFormFields({ form, onChange }: { form: StartForm; onChange(changes: Partial<StartForm>): void }) {
  const words = useAutomationsText().form;
  const text = useTaskText();
  const { data: list } = useQuery(agentsQuery);
  const agent = list?.agents.find(({ id }) => id === form.agent);
  // whose modes are described while the settings decide
  const shownAgent = agent ?? (list && chooseAgent(list));
  const models = toModelChoices(agent?.models ?? [], { model: form.model });
  const asSettings = { value: byDefault, label: words.asSettings };
  return (
    <div className="space-y-4">
      <Field hint={words.promptHint} label={words.prompt}>
        {(field) => (
          <textarea
            {...field}
            className={promptClass}
            maxLength={100_000}
            onChange={(event) => onChange({ prompt: event.target.value })}
            value={form.prompt}
          />
        )}
      </Field>
      <TextField label={words.title} maxLength={500} onChange={(title) => onChange({ title: title || null })} value={form.title ?? ""} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={words.agent}
          onChange={(id) => onChange({ agent: id || null, model: null })}
          options={[
            asSettings,
            ...(list?.agents ?? [])
              .filter(({ available, id }) => available || id === form.agent)
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={form.agent ?? byDefault}
        />
        <Select
          label={words.model}
          onChange={(id) => onChange({ model: id || null })}
          options={[
            { value: byDefault, label: form.agent === null ? words.asSettings : words.agentDefault },
            ...models.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={form.model ?? byDefault}
        />
        <Select
          label={words.mode}
          onChange={(mode) => onChange({ permissionMode: listModes(shownAgent, text).find(({ value }) => value === mode)?.value ?? null })}
          options={[
            asSettings,
            ...listModes(shownAgent, text).map(({ value, label, hint, disabled }) => ({
              value,
              label,
              hint,
              disabled: agent !== undefined && disabled,
            })),
          ]}
          value={form.permissionMode ?? byDefault}
        />
        <Select
          label={words.sandbox}
          onChange={(sandbox) => onChange({ sandbox: sandbox === "off" || sandbox === "workspace" ? sandbox : null })}
          options={[asSettings, { value: "workspace", label: words.sandboxOn }, { value: "off", label: words.sandboxOff }]}
          value={form.sandbox ?? byDefault}
        />
      </div>
      <TextField
        hint={words.baseBranchHint}
        isCode
        label={words.baseBranch}
        maxLength={500}
        onChange={(branch) => onChange({ baseBranch: branch.trim() || null })}
        value={form.baseBranch ?? ""}
      />
    </div>
  );
}
