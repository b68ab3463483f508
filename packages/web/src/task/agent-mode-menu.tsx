import type { Attempt } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { SettingButton } from "../start/setting-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";

/** The modes that the agent's own session offers, in addition to permission modes. Draws nothing where there are none. */
export function AgentModeMenu({ attempt, onChoose }: { attempt: Attempt; onChoose(mode: string | null): void }) {
  const { plan: text, attempt: words } = useTaskText();
  const modes = attempt.sessionOptions?.modes ?? [];
  if (modes.length === 0) return null;
  const byPermissions = "";
  return (
    <Menu
      entries={[
        menuChoices({
          label: `${text.agentModeHint} · ${words.fromNext}`,
          value: attempt.agentMode ?? byPermissions,
          choices: [{ value: byPermissions, label: text.agentModeDefault }, ...modes.map(({ id, name }) => ({ value: id, label: name }))],
          onChoose: (mode) => onChoose(mode === byPermissions ? null : mode),
        }),
      ]}
      trigger={
        <SettingButton
          icon="tool"
          label={text.agentMode}
          value={modes.find(({ id }) => id === attempt.agentMode)?.name ?? text.agentModeDefault}
        />
      }
    />
  );
}
