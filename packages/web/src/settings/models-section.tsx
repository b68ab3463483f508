import type { ProviderKey, Settings } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
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
          <KeyForm key={provider.name} provider={provider} />
        ))}
      </div>
      <p className="mt-6 text-ink-faint text-sm">{shell.settings.models.endpoints}</p>
    </>
  );
}

/** A saved key is shown as “set” and cannot be read again. */
function KeyForm({ provider }: { provider: ProviderKey }) {
  const { shell } = useSettingsText();
  const words = shell.settings.models;
  const id = useId();
  const [key, setKey] = useState("");
  // other models can be used now
  const { busy, error, change } = useChange(agentsQuery, settingsQuery);
  const { label } = provider;
  const act = (action: () => Promise<unknown>, toast: string) => change(() => action().then(() => setKey("")), toast);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (key.trim() !== "" && !busy) void act(() => settingsApi.setProviderKey(provider.name, key.trim()), words.savedKey(label));
      }}
    >
      <div className="mb-1 flex flex-wrap items-center gap-2">
        <label className="font-medium text-sm" htmlFor={id}>
          {words.key(label)}
        </label>
        <KeyState provider={provider} />
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error !== null}
          autoComplete="off"
          className="h-9 pointer-coarse:h-11 w-full min-w-0 flex-1 rounded-md border border-line-strong bg-canvas px-2.5 font-mono text-sm placeholder:font-sans placeholder:text-ink-faint"
          id={id}
          maxLength={2000}
          onChange={(event) => setKey(event.target.value)}
          placeholder={provider.isSet ? words.replace : words.placeholder}
          spellCheck={false}
          type="password"
          value={key}
        />
        <Button className="h-9" disabled={busy || key.trim() === ""} type="submit">
          {words.save}
        </Button>
        {provider.isSet && (
          <Button
            aria-label={words.remove(label)}
            className="h-9"
            disabled={busy}
            look="danger"
            onClick={() => void act(() => settingsApi.removeProviderKey(provider.name), words.removed(label))}
          >
            {words.removeShort}
          </Button>
        )}
      </div>
      {error && <ErrorText id={`${id}-error`}>{error}</ErrorText>}
      {provider.source === "environment" && provider.isSet && <p className="mt-1 text-ink-faint text-xs">{words.overridden}</p>}
    </form>
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
