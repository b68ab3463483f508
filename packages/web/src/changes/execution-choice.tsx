import type { Execution, ExecutionId } from "@skein/contracts";
import { useFormats } from "../i18n/locale.tsx";
import { useTaskText } from "../i18n/task-text.ts";
import { Icon } from "../ui/icon.tsx";
import { Menu } from "../ui/menu.tsx";
import { menuChoices } from "../ui/menu-entry.ts";

export interface ExecutionChoiceProps {
  executions: readonly Execution[];
  /** Null: the whole attempt. */
  chosen: ExecutionId | null;
  onChoose(id: ExecutionId | null): void;
}

const whole = "";

/** The changes of the whole attempt, or of one of its executions. */
export function ExecutionChoice({ executions, chosen, onChoose }: ExecutionChoiceProps) {
  const { app, taskPage } = useTaskText();
  const { changes: text } = taskPage;
  const format = useFormats();
  if (executions.length < 2) return null;
  const number = executions.find(({ id }) => id === chosen)?.number;
  const label = number === undefined ? text.whole : text.execution(number);
  return (
    <Menu
      entries={[
        menuChoices({
          label: text.of,
          value: chosen ?? whole,
          choices: [
            { value: whole, label: text.whole },
            ...executions.toReversed().map((execution) => ({
              value: execution.id,
              label: `${text.execution(execution.number)} · ${format.time(execution.startedAt)}`,
            })),
          ],
          onChoose: (value) => onChoose(value === whole ? null : (value as ExecutionId)),
        }),
      ]}
      trigger={
        <button
          aria-label={app.labelled(text.of, label)}
          className="flex h-7 pointer-coarse:h-10 items-center gap-1 rounded-md px-2 text-ink-soft text-sm hover:bg-hover"
          type="button"
        >
          {label}
          <Icon name="chevronDown" size={11} />
        </button>
      }
    />
  );
}
