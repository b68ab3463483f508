import { api } from "../api/api.ts";
import { useLocale } from "../i18n/locale.tsx";
import { isLocale, type Locale, locales } from "../i18n/locales.ts";
import { signedIn } from "../live/live.ts";
import { type Theme, themes, useTheme } from "../preferences/theme.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Menu, MenuChoices, MenuItem, MenuLine } from "../ui/menu.tsx";

const themeIcon: Record<Theme, IconName> = { system: "screen", light: "sun", dark: "moon" };

export function PreferencesMenu() {
  const { text, locale, setLocale } = useLocale();
  const [theme, setTheme] = useTheme();
  const themeName: Record<Theme, string> = { system: text.app.themeSystem, light: text.app.themeLight, dark: text.app.themeDark };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={text.app.preferences}>
          <Icon name={themeIcon[theme]} />
        </IconButton>
      }
    >
      <MenuChoices
        choices={themes.map((value) => ({
          value,
          label: themeName[value],
          icon: <Icon className="text-ink-faint" name={themeIcon[value]} />,
        }))}
        label={text.app.theme}
        onChoose={setTheme}
        value={theme}
      />
      <MenuLine />
      <MenuChoices
        choices={Object.entries(locales).map(([value, label]) => ({
          value: value as Locale,
          label: <span lang={value}>{label}</span>,
          icon: <Icon className="text-ink-faint" name="language" />,
        }))}
        label={text.app.language}
        onChoose={(value) => isLocale(value) && setLocale(value)}
        value={locale}
      />
      <MenuLine />
      <MenuItem icon="cross" onSelect={() => void api.signOut().then(() => signedIn.set(false))}>
        {text.app.signOut}
      </MenuItem>
    </Menu>
  );
}
