import type { Sandbox } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { SettingButton } from "./setting-button.tsx";

/** Whether the attempt's agent runs in a sandbox. `when`: from when on a choice counts, if not at once. */
export function SandboxMenu({ value, when, onChoose }: { value: Sandbox; when?: string; onChoose(sandbox: Sandbox): void }) {
  const { attempt } = useTaskText();
  const words = attempt.confined;
  return (
    <Menu
      entries={[
        menuChoices<Sandbox>({
          label: when === undefined ? words.label : `${words.label} · ${when}`,
          value,
          choices: [
            { value: "off", label: words.off },
            { value: "workspace", label: words.workspace },
          ],
          onChoose,
        }),
      ]}
      trigger={
        <SettingButton
          className="shrink-0 max-sm:[&>span]:hidden"
          icon="box"
          label={words.label}
          title={value === "off" ? undefined : words.workspaceHint}
          value={value === "off" ? words.off : words.workspace}
        />
      }
    />
  );
}
