import { useLocale } from "../i18n/locale.tsx";
import { localeNames } from "../i18n/locales.ts";
import { signOut } from "../live/sign-out.ts";
import { type Theme, themes, useTheme } from "../preferences/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";

const themeIcon: Record<Theme, IconName> = { system: "screen", light: "sun", dark: "moon" };

export function PreferencesMenu() {
  const { text, locale, setLocale } = useLocale();
  const [theme, setTheme] = useTheme();
  const themeName: Record<Theme, string> = { system: text.app.themeSystem, light: text.app.themeLight, dark: text.app.themeDark };
  return (
    <Menu
      align="end"
      entries={[
        menuChoices({
          label: text.app.theme,
          value: theme,
          choices: themes.map((value) => ({
            value,
            label: themeName[value],
            icon: <Icon className="text-ink-faint" name={themeIcon[value]} />,
          })),
          onChoose: setTheme,
        }),
        { kind: "line" },
        menuChoices({
          label: text.app.language,
          value: locale,
          choices: localeNames.map(([value, name]) => ({
            value,
            label: <span lang={value}>{name}</span>,
            icon: <Icon className="text-ink-faint" name="language" />,
          })),
          onChoose: setLocale,
        }),
        { kind: "line" },
        { kind: "item", icon: "cross", label: text.app.signOut, onSelect: () => void signOut({}) },
        { kind: "item", icon: "cross", label: text.app.signOutEverywhere, onSelect: () => void signOut({ everywhere: true }) },
      ]}
      trigger={
        <IconButton label={text.app.preferences}>
          <Icon name={themeIcon[theme]} />
        </IconButton>
      }
    />
  );
}
