import type { Sandbox } from "@skein/contracts";
import { useTaskText } from "../i18n/task-text.ts";
import { SettingButton } from "../start/setting-button.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";

/** Whether the attempt's agent runs in a sandbox. */
export function SandboxMenu({ value, onChoose }: { value: Sandbox; onChoose(sandbox: Sandbox): void }) {
  const { attempt } = useTaskText();
  const words = attempt.confined;
  return (
    <Menu
      entries={[
        menuChoices<Sandbox>({
          label: `${words.label} · ${attempt.fromNext}`,
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
