import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { agentsQuery } from "../api/queries.ts";
import { settingsApi, settingsQuery } from "../api/shell-api.ts";
import { useLocale } from "../i18n/locale.tsx";
import { isLocale } from "../i18n/locales.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { preferences } from "../preferences/preference.ts";
import { Button } from "../ui/button.tsx";
import { ErrorText, useErrorText } from "../ui/error-text.tsx";
import { saveFile } from "../ui/save-file.ts";
import { showToast } from "../ui/toast.ts";
import { formatSettingsFile, parseSettingsFile } from "./settings-file.ts";

export function TransferSection() {
  const { locale, setLocale } = useLocale();
  const text = useSettingsText();
  const words = text.shell.settings.transfer;
  const describe = useErrorText();
  const client = useQueryClient();
  const { data: settings } = useQuery(settingsQuery);
  const picker = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);

  const exportSettings = () => {
    if (!settings) return;
    const content = formatSettingsFile({
      preferences: preferences.toRecord(),
      locale,
      defaults: settings.defaults,
      general: settings.general,
    });
    saveFile(new Blob([content], { type: "application/json" }), "skein-settings.json");
  };
  const importSettings = async (file: File | undefined) => {
    if (!file) return;
    setError(null);
    const read = parseSettingsFile(await file.text());
    if (!read) return setError(words.badFile);
    try {
      await settingsApi.setDefaults(read.defaults);
      if (read.general !== undefined) await settingsApi.setGeneral(read.general);
      preferences.apply(read.preferences);
      if (isLocale(read.locale)) setLocale(read.locale);
      await client.invalidateQueries({ queryKey: settingsQuery.queryKey });
      void client.invalidateQueries({ queryKey: agentsQuery.queryKey });
      showToast({ text: words.imported, tone: "plain" });
    } catch (failure) {
      setError(describe(failure));
    }
  };
  return (
    <>
      <p className="mb-3 text-ink-soft text-sm">{words.text}</p>
      <div className="flex flex-wrap gap-2">
        <Button disabled={!settings} onClick={exportSettings}>
          {words.export}
        </Button>
        <Button onClick={() => picker.current?.click()}>{words.import}</Button>
        <input
          accept="application/json,.json"
          aria-label={words.import}
          className="hidden"
          onChange={(event) => {
            void importSettings(event.target.files?.[0]);
            event.target.value = "";
          }}
          ref={picker}
          type="file"
        />
      </div>
      {error && <ErrorText>{error}</ErrorText>}
    </>
  );
}
