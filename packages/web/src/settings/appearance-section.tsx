import { editorNames } from "@skein/engine";
import { useState } from "react";
import { editorAddress, editorPreference } from "../editors/editor-preference.ts";
import { useLocale } from "../i18n/locale.tsx";
import { localeNames } from "../i18n/locales.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { usePreference } from "../preferences/preference.ts";
import { density, motion, theme } from "../preferences/theme.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";
import { Field, fieldClass } from "../ui/field.tsx";

export function AppearanceSection() {
  const { locale, setLocale } = useLocale();
  const text = useSettingsText();
  const [chosenTheme, setTheme] = usePreference(theme);
  const [chosenDensity, setDensity] = usePreference(density);
  const [chosenMotion, setMotion] = usePreference(motion);
  const { settings } = text.shell;
  const themeNames = { system: text.app.themeSystem, light: text.app.themeLight, dark: text.app.themeDark };
  return (
    <div className="space-y-5">
      <ChoiceGroup
        choices={theme.values.map((value) => ({ value, label: themeNames[value] }))}
        label={text.app.theme}
        onChange={setTheme}
        value={chosenTheme}
      />
      <ChoiceGroup
        choices={localeNames.map(([value, label]) => ({ value, label, lang: value }))}
        label={text.app.language}
        onChange={setLocale}
        value={locale}
      />
      <ChoiceGroup
        choices={density.values.map((value) => ({ value, label: settings.densities[value] }))}
        label={settings.density}
        onChange={setDensity}
        value={chosenDensity}
      />
      <ChoiceGroup
        choices={motion.values.map((value) => ({ value, label: settings.motions[value] }))}
        label={settings.motion}
        onChange={setMotion}
        value={chosenMotion}
      />
      <EditorSetting />
    </div>
  );
}

/** What “Open in …” opens, in this browser. */
function EditorSetting() {
  const { editor: text } = useSettingsText().shell.settings;
  const [chosen, choose] = usePreference(editorPreference);
  const [address, setAddress] = useState(editorAddress.read);
  const [isRefused, setIsRefused] = useState(false);
  return (
    <div className="space-y-3">
      <ChoiceGroup
        choices={editorPreference.values.map((value) => ({ value, label: value === "custom" ? text.custom : editorNames[value] }))}
        label={text.title}
        onChange={choose}
        value={chosen}
      />
      {chosen === "custom" && (
        <Field error={isRefused ? text.refused : null} hint={text.hint} label={text.address}>
          {(props) => (
            <input
              {...props}
              className={`${fieldClass} font-mono`}
              onChange={(event) => {
                setAddress(event.target.value);
                setIsRefused(!editorAddress.write(event.target.value.trim()));
              }}
              placeholder="editor://open?file={path}&line={line}"
              value={address}
            />
          )}
        </Field>
      )}
    </div>
  );
}
