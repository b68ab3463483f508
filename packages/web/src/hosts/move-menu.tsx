import type { Attempt } from "@skein/contracts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { attemptsQuery } from "../api/queries.ts";
import { workerApi, workersQuery } from "../api/worker-api.ts";
import { useTaskText } from "../i18n/task-text.ts";
import { SettingButton } from "../start/setting-button.tsx";
import { useErrorText } from "../ui/error-text.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";

const here = "";

/**
 * The machine that an attempt is on, and where it can be moved to, with its branch and its uncommitted files. Nothing as long as there are
 * no workers, and for an attempt in the project's folder, which cannot move.
 */
export function MoveMenu({ attempt, onError }: { attempt: Attempt; onError(text: string | null): void }) {
  const text = useTaskText();
  const describe = useErrorText();
  const client = useQueryClient();
  const [target, setTarget] = useState<string | null>(null);
  const { data: workers = [] } = useQuery(workersQuery);
  const current = attempt.hostId ?? null;
  const usable = workers.filter(({ id, state }) => state === "active" || id === current);
  if (attempt.isolation === "in-place" || (usable.length === 0 && current === null)) return null;

  const nameOf = (id: string | null): string =>
    id === null || id === here ? text.start.thisMachine : (workers.find((worker) => worker.id === id)?.name ?? text.attempt.worker.removed);
  const move = async (chosen: string) => {
    onError(null);
    setTarget(chosen);
    try {
      await workerApi.move(attempt.id, chosen === here ? null : chosen);
      await client.invalidateQueries({ queryKey: attemptsQuery(attempt.taskId).queryKey });
    } catch (error) {
      onError(describe(error));
    } finally {
      setTarget(null);
    }
  };
  return (
    <Menu
      entries={[
        menuChoices<string>({
          label: text.attempt.worker.moveHint,
          value: current ?? here,
          choices: [
            { value: here, label: text.start.thisMachine },
            ...usable.map(({ id, name, isConnected }) => ({ value: id, label: isConnected ? name : text.start.offlineMachine(name) })),
          ],
          onChoose: (chosen) => {
            if (chosen !== (current ?? here)) void move(chosen);
          },
        }),
      ]}
      trigger={
        <SettingButton
          disabled={target !== null}
          icon="screen"
          label={text.start.machine}
          value={target === null ? nameOf(current) : text.attempt.worker.moving(nameOf(target))}
        />
      }
    />
  );
}
