import type { ProviderKey, Settings } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../api/queries.ts";
import { settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { KeyForm } from "../ui/key-form.tsx";
import { useChange } from "../ui/use-change.ts";

export function ModelsSection() {
  const { shell } = useSettingsText();
  const describe = useErrorText();
  const { data, error } = useQuery(settingsQuery);
  return (
    <>
      <p className="mb-4 text-ink-soft text-sm">{shell.settings.models.text}</p>
      {error && !data && <ErrorText>{describe(error)}</ErrorText>}
      <div className="space-y-5">
        {data?.providers.map((provider) => (
          <ProviderKeyForm key={provider.name} provider={provider} />
        ))}
      </div>
      <p className="mt-6 text-ink-faint text-sm">{shell.settings.models.endpoints}</p>
    </>
  );
}

/** A saved key is shown as “set” and cannot be read again. */
function ProviderKeyForm({ provider }: { provider: ProviderKey }) {
  const { shell } = useSettingsText();
  const words = shell.settings.models;
  // other models can be used now
  const { busy, error, change } = useChange(agentsQuery, settingsQuery);
  const { label, name, isSet } = provider;
  return (
    <KeyForm
      busy={busy}
      error={error}
      isSet={isSet}
      label={words.key(label)}
      note={provider.source === "environment" && isSet ? words.overridden : undefined}
      onRemove={() => void change(() => settingsApi.removeProviderKey(name), words.removed(label))}
      onSave={(key, done) => void change(() => settingsApi.setProviderKey(name, key).then(done), words.savedKey(label))}
      state={<KeyState provider={provider} />}
      words={{
        ...{ placeholder: words.placeholder, replace: words.replace, save: words.save },
        ...{ remove: words.removeShort, removeLabel: words.remove(label) },
      }}
    />
  );
}

function KeyState({ provider }: { provider: Settings["providers"][number] }) {
  const { shell } = useSettingsText();
  const words = shell.settings.models;
  if (provider.source === "none") return <span className="rounded bg-hover px-1.5 text-ink-faint text-xs">{words.unset}</span>;
  return (
    <span className="rounded bg-good-wash px-1.5 text-good text-xs">
      {provider.source === "environment" ? words.fromEnvironment(provider.variable) : words.set}
    </span>
  );
}
