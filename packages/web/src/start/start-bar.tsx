import type { PermissionMode, ProjectId } from "@skein/contracts";
import type { ReactNode } from "react";
import { listModes } from "../agents/mode-hint.ts";
import { toModelChoices } from "../agents/model-choices.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { BranchPicker } from "./branch-picker.tsx";
import { HostChoice } from "./host-choice.tsx";
import { RaceRows } from "./race-rows.tsx";
import { SandboxMenu } from "./sandbox-menu.tsx";
import { SettingButton } from "./setting-button.tsx";
import type { StartSettings } from "./use-start-choice.ts";

/** What a start uses: agent, model, permission mode and base branch. The same bar as that of a running attempt. */
export function StartBar({ projectId, settings, first }: { projectId: ProjectId; settings: StartSettings; first?: ReactNode }) {
  const text = useTaskText();
  const { agent, model, permissionMode, list } = settings;
  const agents = list?.agents ?? [];
  const models = toModelChoices(agent?.models ?? [], { model });
  const modes = listModes(agent, text);
  const mode = modes.find(({ value }) => value === permissionMode);
  return (
    <section aria-label={text.start.settings} className="flex min-w-0 flex-wrap items-center gap-1 text-ink-faint text-xs">
      {first}
      <Menu
        entries={[
          menuChoices({
            label: text.attempt.agent,
            value: agent?.id ?? null,
            choices: agents.filter(({ available }) => available).map(({ id, name }) => ({ value: id, label: name })),
            onChoose: settings.chooseAgent,
          }),
        ]}
        trigger={<SettingButton icon="agent" label={text.attempt.agent} value={agent?.name ?? "…"} />}
      />
      {models.length > 0 && (
        <Menu
          entries={[
            menuChoices({
              label: text.attempt.model,
              value: model,
              choices: models.map(({ id, name }) => ({ value: id, label: name })),
              onChoose: settings.chooseModel,
            }),
          ]}
          trigger={
            <SettingButton
              icon="bolt"
              label={text.attempt.model}
              value={models.find(({ id }) => id === model)?.name ?? text.attempt.defaultModel}
            />
          }
        />
      )}
      <Menu
        entries={[
          menuChoices<PermissionMode>({
            label: text.attempt.permissionMode,
            value: permissionMode,
            choices: modes,
            onChoose: settings.chooseMode,
          }),
        ]}
        trigger={<SettingButton icon="shield" label={text.attempt.permissionMode} title={mode?.hint} value={mode?.label ?? ""} />}
      />
      <BranchPicker onChange={settings.chooseBranch} projectId={projectId} value={settings.baseBranch} />
      <HostChoice onChange={settings.chooseHost} value={settings.host} />
      <SandboxMenu onChoose={settings.chooseSandbox} value={settings.sandbox ?? list?.defaultSandbox ?? "off"} />
      <div className="basis-full">
        <RaceRows settings={settings} />
      </div>
      {agent?.permissionControl === "none" && permissionMode !== "full" && (
        <p className="basis-full px-2 text-warn">{text.attempt.neverAsks}</p>
      )}
    </section>
  );
}
