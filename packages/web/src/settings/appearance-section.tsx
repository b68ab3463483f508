import { useLocale } from "../i18n/locale.tsx";
import { localeNames } from "../i18n/locales.ts";
import { useSettingsText } from "../i18n/settings-text.ts";
import { usePreference } from "../preferences/preference.ts";
import { density, motion, theme } from "../preferences/theme.ts";
import { ChoiceGroup } from "../ui/choice-group.tsx";

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
    </div>
  );
}
