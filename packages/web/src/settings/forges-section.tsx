import type { ForgeAccess, ForgeKind } from "@skein/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { pullRequestApi } from "../api/pull-request-api.ts";
import { settingsQuery } from "../api/shell-api.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { usePullRequestText } from "../pull-request/use-pull-request-text.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { fieldClass, TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useChange } from "../ui/use-change.ts";
import { NumberSetting, SettingNote } from "./setting-fields.tsx";
import { useSaveGeneral } from "./use-save-general.ts";

/** Tokens of forges, and what happens with feedback of pull requests. */
export function ForgesSection() {
  const words = usePullRequestText().settings;
  const describe = useErrorText();
  const { data, error: loadError } = useQuery(settingsQuery);
  const { error, save } = useSaveGeneral();
  if (!data) return loadError ? <ErrorText>{describe(loadError)}</ErrorText> : null;
  return (
    <div className="max-w-xl space-y-6">
      <p className="text-ink-soft text-sm">{words.text}</p>
      {data.forges.map((access) => (
        <TokenRow access={access} key={access.host} />
      ))}
      <NewHost />
      <div>
        <NumberSetting
          label={words.rounds}
          max={20}
          min={0}
          note={<SettingNote effect={words.roundsEffect} fallback="0" when="now" />}
          onChange={(rounds) => rounds !== null && void save({ pullRequestRounds: rounds })}
          value={data.general.pullRequestRounds}
        />
        {error && <ErrorText>{error}</ErrorText>}
      </div>
    </div>
  );
}

/** Runs an action on a token, and loads the settings again. */
function useTokenAction(onDone: () => void) {
  const { change, ...state } = useChange(settingsQuery);
  return { ...state, act: (action: () => Promise<unknown>, toast: string) => change(() => action().then(onDone), toast) };
}

function TokenRow({ access: { host, kind, source, isSet } }: { access: ForgeAccess }) {
  const { models } = useSettingsText().shell.settings;
  const { settings: words, dialog } = usePullRequestText();
  const id = useId();
  const [token, setToken] = useState("");
  const { busy, error, act } = useTokenAction(() => setToken(""));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== "" && !busy) void act(() => pullRequestApi.setToken(host, { kind, token: token.trim() }), words.saved(host));
      }}
    >
      <div className="mb-1 flex flex-wrap items-center gap-2">
        <label className="font-medium text-sm" htmlFor={id}>
          {words.tokenFor(host)}
        </label>
        <span className="text-ink-faint text-xs">{dialog.kinds[kind]}</span>
        {source !== "none" && (
          <span className="rounded bg-good-wash px-1.5 text-good text-xs">
            {source === "environment" ? words.fromEnvironment : models.set}
          </span>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          autoComplete="off"
          className={`${fieldClass} flex-1 font-mono placeholder:font-sans`}
          id={id}
          maxLength={2000}
          onChange={(event) => setToken(event.target.value)}
          placeholder={isSet ? words.replace : words.placeholder}
          spellCheck={false}
          type="password"
          value={token}
        />
        <Button className="h-9" disabled={busy || token.trim() === ""} type="submit">
          {dialog.saveToken}
        </Button>
        {isSet && (
          <Button
            aria-label={words.remove(host)}
            className="h-9"
            disabled={busy}
            look="danger"
            onClick={() => void act(() => pullRequestApi.removeToken(host), words.removed(host))}
          >
            {models.removeShort}
          </Button>
        )}
      </div>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}

function NewHost() {
  const { settings: words, dialog } = usePullRequestText();
  const [host, setHost] = useState("");
  const [kind, setKind] = useState<ForgeKind>("gitlab");
  const [token, setToken] = useState("");
  const { busy, error, act } = useTokenAction(() => {
    setHost("");
    setToken("");
  });
  const isComplete = host.trim() !== "" && token.trim() !== "";
  return (
    <form
      aria-label={words.add}
      className="space-y-3 rounded-md border border-line p-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !busy)
          void act(() => pullRequestApi.setToken(host.trim(), { kind, token: token.trim() }), words.saved(host.trim()));
      }}
    >
      <h3 className="font-semibold text-sm">{words.add}</h3>
      <TextField isCode label={words.host} maxLength={255} onChange={setHost} placeholder="git.example.com" value={host} />
      <Select
        label={dialog.kind}
        onChange={(value) => setKind(value as ForgeKind)}
        options={Object.entries(dialog.kinds).map(([value, label]) => ({ value, label }))}
        value={kind}
      />
      <TextField
        autoComplete="off"
        isCode
        label={dialog.token}
        maxLength={2000}
        onChange={setToken}
        placeholder={words.placeholder}
        type="password"
        value={token}
      />
      <Button className="h-9" disabled={busy || !isComplete} type="submit">
        {dialog.saveToken}
      </Button>
      {error && <ErrorText>{error}</ErrorText>}
    </form>
  );
}
