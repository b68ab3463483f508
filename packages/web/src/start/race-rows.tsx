import { maxRacers } from "@skein/contracts";
import { useState } from "react";
import { toModelChoices } from "../agents/model-choices.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { type OtherRacer, proposeRacer } from "./racers.ts";
import { SettingButton } from "./setting-button.tsx";
import type { StartSettings } from "./use-start-choice.ts";

/** The other agents of a race, a row each, and the button that adds one. */
export function RaceRows({ settings }: { settings: StartSettings }) {
  const { race: words } = useTaskText().start;
  const [nextKey, setNextKey] = useState(1);
  const { others, setOthers, list } = settings;
  const add = () => {
    const chosen = [settings.agent?.id ?? "", ...others.map(({ agent }) => agent)];
    const proposed = list && proposeRacer(list, chosen, nextKey);
    if (proposed === undefined) return;
    setNextKey(nextKey + 1);
    setOthers([...others, proposed]);
  };
  return (
    <div className="text-ink-faint text-xs">
      {others.length > 0 && (
        <ul aria-label={words.others}>
          {others.map((racer, index) => (
            <li className="flex min-w-0 flex-wrap items-center gap-1" key={racer.key}>
              <RacerMenus
                label={(name) => words.number(index + 2, name)}
                onChange={(changed) => setOthers(others.map((other) => (other === racer ? changed : other)))}
                racer={racer}
                settings={settings}
              />
              <IconButton label={words.remove(index + 2)} onClick={() => setOthers(others.filter((other) => other !== racer))}>
                <Icon name="cross" size={13} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {others.length + 1 < maxRacers && (
        <button
          className="flex h-7 pointer-coarse:h-10 items-center gap-1.5 rounded-md px-2 hover:bg-hover hover:text-ink"
          disabled={list === undefined}
          onClick={add}
          title={words.hint}
          type="button"
        >
          <Icon name="plus" size={13} />
          {words.add}
        </button>
      )}
    </div>
  );
}

function RacerMenus({
  racer,
  settings: { list },
  label,
  onChange,
}: {
  racer: OtherRacer;
  settings: StartSettings;
  label(name: string): string;
  onChange(racer: OtherRacer): void;
}) {
  const { attempt: words } = useTaskText();
  const agents = (list?.agents ?? []).filter(({ available }) => available);
  const agent = agents.find(({ id }) => id === racer.agent);
  const models = toModelChoices(agent?.models ?? [], { model: racer.model });
  return (
    <>
      <Menu
        entries={[
          menuChoices({
            label: words.agent,
            value: racer.agent,
            choices: agents.map(({ id, name }) => ({ value: id, label: name })),
            onChoose: (id) => onChange({ ...racer, agent: id, model: agents.find((one) => one.id === id)?.defaultModel ?? null }),
          }),
        ]}
        trigger={<SettingButton icon="agent" label={label(words.agent)} value={agent?.name ?? racer.agent} />}
      />
      {models.length > 0 && (
        <Menu
          entries={[
            menuChoices({
              label: words.model,
              value: racer.model,
              choices: models.map(({ id, name }) => ({ value: id, label: name })),
              onChoose: (model) => onChange({ ...racer, model }),
            }),
          ]}
          trigger={
            <SettingButton
              icon="bolt"
              label={label(words.model)}
              value={models.find(({ id }) => id === racer.model)?.name ?? words.defaultModel}
            />
          }
        />
      )}
    </>
  );
}
