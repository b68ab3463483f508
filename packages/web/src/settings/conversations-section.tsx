import type { CompressionSettings, GeneralSettings, MergeMode, UpdateGeneralSettings } from "@skein/contracts";
import { defaultCompressionSettings } from "@skein/engine";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { putSettings, settingsApi, settingsQuery } from "../api/shell-api.ts";
import { ownMergeMode } from "../conversation/merge-mode.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { SystemPromptForm } from "../prompts/system-prompt-form.tsx";
import { useStore } from "../state/external-store.ts";
import { createPendingChanges } from "../state/pending-changes.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { Select } from "../ui/select.tsx";
import { SwitchSetting } from "../ui/switch-setting.tsx";
import { showToast } from "../ui/toast.ts";
import { NumberSetting, SettingNote } from "./setting-fields.tsx";

const generalChanges = createPendingChanges(settingsApi.setGeneral);

function applyGeneralChanges(general: GeneralSettings, changes: UpdateGeneralSettings): GeneralSettings {
  return Object.assign({}, general, changes, { compression: Object.assign({}, general.compression, changes.compression) });
}

const byItself = "";
const defaultTimeout = 120;
const defaultMaxSteps = 200;

export function ConversationsSection() {
  const text = useSettingsText();
  const words = text.shell.settings.conversations;
  const { mergeLive, mergeOnComplete, mergeOff } = text.taskPage.tools;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: settings, error: loadError } = useQuery(settingsQuery);
  const pending = useStore(generalChanges.pending);
  const [error, setError] = useState<string | null>(null);
  if (!settings) return loadError ? <ErrorText>{describe(loadError)}</ErrorText> : null;
  const general = pending.reduce(applyGeneralChanges, settings.general);
  const save = (changes: UpdateGeneralSettings) =>
    generalChanges.save(changes, (saved) => putSettings(client, (known) => ({ ...known, general: saved })));
  const change = async (changes: UpdateGeneralSettings) => {
    setError(null);
    try {
      await save(changes);
      showToast({ text: text.shell.settings.conversations.saved, tone: "plain" });
    } catch (failure) {
      setError(describe(failure));
    }
  };
  return (
    <div className="max-w-xl space-y-8">
      {error && <ErrorText>{error}</ErrorText>}
      <SystemPromptForm hint={words.prompt.everywhere} onSave={(systemPrompt) => save({ systemPrompt })} value={general.systemPrompt} />
      <section aria-labelledby="settings-compression" className="space-y-4">
        <div>
          <h3 className="font-semibold" id="settings-compression">
            {words.compression}
          </h3>
          <p className="mt-0.5 text-ink-soft text-sm">{words.compressionText}</p>
        </div>
        <CompressionFields onChange={(compression) => void change({ compression })} value={general.compression} />
      </section>
      <section aria-labelledby="settings-agent" className="space-y-4">
        <h3 className="font-semibold" id="settings-agent">
          {text.flow.settings.agent}
        </h3>
        <NumberSetting
          label={text.flow.settings.maxSteps}
          max={100_000}
          min={0}
          note={<SettingNote effect={text.flow.settings.maxStepsEffect} fallback={String(defaultMaxSteps)} when="next" />}
          onChange={(maxSteps) => maxSteps !== null && void change({ maxSteps })}
          value={general.maxSteps}
        />
      </section>
      <section aria-labelledby="settings-tools" className="space-y-4">
        <h3 className="font-semibold" id="settings-tools">
          {words.tools}
        </h3>
        <div>
          <Select
            label={words.mergeMode}
            onChange={(mergeMode) => {
              // who chooses here wants to see it here, too
              ownMergeMode.write(null);
              void change({ mergeMode: mergeMode as MergeMode });
            }}
            options={[
              { value: "live", label: mergeLive },
              { value: "on-complete", label: mergeOnComplete },
              { value: "off", label: mergeOff },
            ]}
            value={general.mergeMode}
          />
          <SettingNote effect={words.mergeModeEffect} fallback={mergeLive} when="now" />
        </div>
        <NumberSetting
          label={words.toolTimeout}
          max={7 * 24 * 60}
          min={0}
          note={<SettingNote effect={words.toolTimeoutEffect} fallback={String(defaultTimeout)} when="now" />}
          onChange={(minutes) => minutes !== null && void change({ toolTimeoutMinutes: minutes })}
          value={general.toolTimeoutMinutes}
        />
      </section>
    </div>
  );
}

function CompressionFields({ value, onChange }: { value: CompressionSettings; onChange(changes: Partial<CompressionSettings>): void }) {
  const words = useSettingsText().shell.settings.conversations;
  const { data: list } = useQuery(agentsQuery);
  const defaults = defaultCompressionSettings;
  const models = list?.agents.find(({ capabilities }) => capabilities?.compressesHistory)?.models ?? [];
  const isListed = value.model === null || models.some(({ id }) => id === value.model);
  return (
    <>
      <SwitchSetting
        checked={value.enabled}
        label={words.enabled}
        note={<SettingNote effect={words.enabledEffect} fallback={words.on} when="next" />}
        onChange={(enabled) => onChange({ enabled })}
      />
      <SwitchSetting
        checked={value.auto}
        disabled={!value.enabled}
        label={words.auto}
        note={<SettingNote effect={words.autoEffect} fallback={words.on} when="next" />}
        onChange={(auto) => onChange({ auto })}
      />
      <NumberSetting
        disabled={!value.enabled || !value.auto}
        label={words.triggerRatio}
        max={95}
        min={10}
        note={<SettingNote effect={words.triggerRatioEffect} fallback={toPercent(defaults.triggerRatio).toString()} when="next" />}
        onChange={(percent) => percent !== null && onChange({ triggerRatio: percent / 100 })}
        value={toPercent(value.triggerRatio)}
      />
      <NumberSetting
        disabled={!value.enabled || !value.auto}
        emptyLabel={words.never}
        label={words.triggerMessages}
        max={100_000}
        min={4}
        note={<SettingNote effect={words.triggerMessagesEffect} fallback={words.never} when="next" />}
        onChange={(triggerMessages) => onChange({ triggerMessages })}
        value={value.triggerMessages}
      />
      <NumberSetting
        disabled={!value.enabled}
        label={words.keepRecentTurns}
        max={100}
        min={1}
        note={<SettingNote effect={words.keepRecentTurnsEffect} fallback={String(defaults.keepRecentTurns)} when="next" />}
        onChange={(keepRecentTurns) => keepRecentTurns !== null && onChange({ keepRecentTurns })}
        value={value.keepRecentTurns}
      />
      <div>
        <Select
          label={words.model}
          onChange={(model) => onChange({ model: model === byItself ? null : model })}
          options={[
            { value: byItself, label: words.modelByItself, hint: words.modelByItselfHint },
            ...(isListed ? [] : [{ value: value.model ?? byItself, label: value.model ?? "" }]),
            ...models.map(({ id, name }) => ({ value: id, label: name, hint: id })),
          ]}
          value={value.model ?? byItself}
        />
        <SettingNote effect={words.modelEffect} fallback={words.modelByItself} when="next" />
      </div>
    </>
  );
}

function toPercent(ratio: number): number {
  return Math.round(ratio * 100);
}
