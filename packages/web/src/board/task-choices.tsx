import type { Task, TaskPriority, TaskStatus } from "@skein/contracts";
import { useText } from "../i18n/locale.tsx";
import { type MenuEntry, menuChoices } from "../ui/menu-entry.ts";
import { priorityOrder, statusOrder } from "./board-filters.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";

/** Status and priority of a task, as entries of a menu. */
export function useTaskChoices(
  task: Task,
  { onStatus, onPriority }: { onStatus(status: TaskStatus): void; onPriority(priority: TaskPriority): void },
): MenuEntry[] {
  const text = useText();
  return [
    menuChoices({
      label: text.board.status,
      value: task.status,
      choices: statusOrder.map((status) => ({
        value: status,
        label: text.status[status],
        icon: <StatusIcon size={14} status={status} />,
      })),
      onChoose: onStatus,
    }),
    { kind: "line" },
    menuChoices({
      label: text.priority.label,
      value: task.priority,
      choices: priorityOrder.map((priority) => ({
        value: priority,
        label: text.priority[priority],
        icon: <PriorityIcon priority={priority} />,
      })),
      onChoose: onPriority,
    }),
  ];
}
