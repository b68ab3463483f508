import { useQuery } from "@tanstack/react-query";
import { workersQuery } from "../api/worker-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";
import { SettingButton } from "./setting-button.tsx";

const here = "";

/** The machine that a start uses. Nothing as long as there are no workers. */
export function HostChoice({ value, onChange }: { value: string | null; onChange(id: string | null): void }) {
  const { start } = useTaskText();
  const { data: workers = [] } = useQuery(workersQuery);
  const usable = workers.filter(({ state }) => state === "active");
  if (usable.length === 0) return null;
  const label = (id: string | null) => usable.find((worker) => worker.id === id)?.name ?? start.thisMachine;
  return (
    <Menu
      entries={[
        menuChoices<string>({
          label: start.machine,
          value: value ?? here,
          choices: [
            { value: here, label: start.thisMachine },
            ...usable.map(({ id, name, isConnected }) => ({ value: id, label: isConnected ? name : start.offlineMachine(name) })),
          ],
          onChoose: (id) => onChange(id === here ? null : id),
        }),
      ]}
      trigger={<SettingButton icon="screen" label={start.machine} value={label(value)} />}
    />
  );
}
