import type { AttemptDefaults, UpdateAttemptDefaults } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toModeWords, workingModes } from "../agents/mode-hint.ts";
import { agentsQuery } from "../api/queries.ts";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { useStore } from "../state/external-store.ts";
import { createPendingChanges } from "../state/pending-changes.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { showToast } from "../ui/toast.ts";

const defaultsChanges = createPendingChanges(settingsApi.setDefaults);

function applyDefaultsChanges(defaults: AttemptDefaults, changes: UpdateAttemptDefaults): AttemptDefaults {
  return Object.assign({}, defaults, changes);
}

const nothing = "";

/** What a new attempt starts with. Another agent knows other models: choosing one forgets the model. */
export function DefaultsSection() {
  const text = useSettingsText();
  const words = text.shell.settings.defaults;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const { data: list } = useQuery(agentsQuery);
  const pending = useStore(defaultsChanges.pending);
  const [error, setError] = useState<string | null>(null);
  if (!settings || !list) return null;
  const defaults = pending.reduce(applyDefaultsChanges, settings.defaults);
  const agent = list.agents.find(({ id }) => id === (defaults.agent ?? list.defaultAgent));
  const save = async (changes: UpdateAttemptDefaults) => {
    setError(null);
    try {
      await defaultsChanges.save(changes, (saved) => putSettings(client, (known) => ({ ...known, defaults: saved })));
      void client.invalidateQueries({ queryKey: agentsQuery.queryKey });
      showToast({ text: text.shell.settings.conversations.saved, tone: "plain" });
    } catch (failure) {
      setError(describe(failure));
    }
  };
  const byItself = { value: nothing, label: words.none };
  const modelOptions = [...(agent?.models ?? []).map(({ id, name }) => ({ value: id, label: name, hint: id }))];
  const isListed = defaults.model === null || modelOptions.some(({ value }) => value === defaults.model);
  return (
    <div className="max-w-md space-y-5">
      <p className="text-ink-soft text-sm">{words.text}</p>
      {error && <ErrorText>{error}</ErrorText>}
      <Select
        label={words.agent}
        onChange={(value) => void save({ agent: value || null, model: null })}
        options={[
          byItself,
          ...list.agents.map(({ id, name, available, hint }) => ({
            ...{ value: id, label: name },
            ...(available || hint === undefined ? {} : { hint }),
          })),
        ]}
        value={defaults.agent ?? nothing}
      />
      <Select
        label={words.model}
        onChange={(value) => void save({ model: value || null })}
        options={[byItself, ...(isListed ? [] : [{ value: defaults.model ?? "", label: defaults.model ?? "" }]), ...modelOptions]}
        value={defaults.model ?? nothing}
      />
      <Select
        label={words.permissionMode}
        onChange={(value) => void save({ permissionMode: workingModes.find((mode) => mode === value) ?? null })}
        options={[byItself, ...workingModes.map((value) => ({ value, ...toModeWords(agent, value, text) }))]}
        value={defaults.permissionMode ?? nothing}
      />
    </div>
  );
}
